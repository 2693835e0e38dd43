"""`saved(..)`: stages that a backward may be given instead of computing them again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import ops
from shaderdsl.targets import load_target

NORM = """given x[..., i], g[..., i], eps
mu[...] = mean(i) x[..., i]
c[..., i] = x[..., i] - mu[...]
v[...] = mean(i) c[..., i] ** 2
r[...] = rsqrt(v[...] + eps)
y[..., i] = c[..., i] * r[...] * g[..., i]
saved(mu, r)"""
norm = sd.op("norm", NORM)
rows = sd.op(
    "rows", "m[i] = max(j) x[i, j]\nk[i] = sum(j) where(x[i, j] == m[i], j, 0)\ny[i] = x[i, k[i]] * m[i]\nsaved(k, m)"
)
carried = sd.op(
    "carried",
    "h[t], l[t] = scan(t) h[t - 1] * a[t] + l[t - 1], l[t - 1] + a[t] * x[t]\ny[t] = h[t] * l[t]\nsaved(h, l)\nout(y)",
)
random = np.random.default_rng(0)
X, G, D_Y = random.normal(size=(4, 3)), random.normal(size=(1, 3)), random.normal(size=(4, 3))
GIVEN: dict[str, Any] = {"x": X, "g": G, "eps": 1e-3, "d_y": D_Y}


def same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert list(found) == list(expected)
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values, err_msg=name)


def test_a_backward_takes_saved_stages(executor_name: str) -> None:
    assert norm.vjp.inputs == ("x", "g", "eps", "d_y", "mu", "r")
    assert norm.vjp.formula.startswith("given x[b, i], g[b, i], eps, d_y[b, i], mu[b], r[b]\nc[b, i] = ")
    assert "mean(i)" not in norm.vjp.formula
    kept = norm.with_saved(X, G, 1e-3, device=executor_name)
    assert {n: v.shape for n, v in kept.items()} == {"y": (4, 3), "mu": (4,), "r": (4,)}
    alone = norm.vjp(**GIVEN, device=executor_name)
    assert alone["g"].shape == (1, 3)
    for names in (("mu", "r"), ("r",), ("mu",)):
        same(norm.vjp(**GIVEN, **{n: kept[n] for n in names}, device=executor_name), alone)


def test_the_reference_takes_them_too() -> None:
    kept = norm.with_saved.reference(X, G, 1e-3)
    same(norm.vjp.reference(**GIVEN, mu=kept["mu"], r=kept["r"]), norm.vjp.reference(**GIVEN))
    moved = norm.vjp.reference(**GIVEN, mu=kept["mu"], r=2 * kept["r"])
    assert not np.allclose(moved["x"], norm.vjp.reference(**GIVEN)["x"])


def test_resident_stages_stay(executor_name: str) -> None:
    x, g, d_y = (sd.array(a.astype(np.float32), device=executor_name) for a in (X, G, D_Y))
    kept = norm.with_saved(x, g, 1e-3)
    found = norm.vjp(x=x, g=g, eps=1e-3, d_y=d_y, mu=kept["mu"], r=kept["r"])
    same({n: a.numpy() for n, a in found.items()}, norm.vjp(**GIVEN, device=executor_name))


def test_whole_stages_are_saved(executor_name: str) -> None:
    kept = rows.with_saved(X, device=executor_name)
    assert kept["k"].dtype == np.int32
    d_y = np.ones(4)
    given = {n: kept[n] for n in ("k", "m")}
    same(rows.vjp(x=X, d_y=d_y, **given, device=executor_name), rows.vjp(x=X, d_y=d_y, device=executor_name))


def test_a_scan_is_saved_whole_or_computed_again(executor_name: str) -> None:
    a, x, d_y = X[:, 0], X[:, 1], X[:, 2]
    kept = carried.with_saved(a=a, x=x, device=executor_name)
    alone = carried.vjp(a=a, x=x, d_y=d_y, device=executor_name)
    for names in (("h", "l"), ("h",), ("l",)):
        given = {n: kept[n] for n in names}
        same(carried.vjp(a=a, x=x, d_y=d_y, **given, device=executor_name), alone)


def test_what_a_backward_has_no_use_for_is_taken_and_left() -> None:
    """So that all that `with_saved` gives can be passed on."""
    product = sd.op("product", "p[i] = x[i] * w[i]\ny[i] = p[i] + 1\nsaved(p)")
    assert product.vjp.inputs == ("x", "w", "d_y")
    kept = product.with_saved.reference(X[0], X[1])
    found = product.vjp.reference(x=X[0], w=X[1], d_y=X[2], p=kept["p"])
    np.testing.assert_array_equal(found["x"], X[1] * X[2])


def test_second_derivatives_compute_everything() -> None:
    """A saved stage depends on the inputs, so the second derivative is of the backward that computes it."""
    assert "mu" not in norm.vjp.vjp.inputs
    plain = sd.op("plain", NORM.replace("\nsaved(mu, r)", ""))
    given = {**GIVEN, "d_d_x": D_Y, "d_d_g": G}
    same(norm.vjp.vjp.reference(**given), plain.vjp.vjp.reference(**given))


def test_a_saved_stage_of_another_shape_is_refused() -> None:
    with pytest.raises(sd.LaunchError, match="axis b is 4 in x and 5 in r"):
        norm.vjp(**GIVEN, r=np.ones(5), device="interpreter")


def test_an_op_that_saves_nothing_says_so() -> None:
    with pytest.raises(sd.SpecError, match="plain saves no stage") as found:
        _ = sd.op("plain", "y[i] = x[i] ** 2").with_saved
    assert "help: add a line to the formula: saved(m)" in str(found.value)
    with pytest.raises(sd.SpecError, match="saves no stage"):
        _ = norm.vjp.with_saved


def test_saved_stages_of_a_called_formula() -> None:
    calling = sd.op("calling", "given x[..., i], g[..., i]\nz = norm(x, g, 0.001)", library={"norm": norm})
    assert calling.spec.saved == ("z_mu", "z_r")
    assert calling.vjp.inputs[-2:] == ("z_mu", "z_r")


def test_gradcheck_of_what_is_saved() -> None:
    report = sd.gradcheck(norm, eps=1e-3, device="interpreter")
    assert report.ok
    assert {"saved stages", "saved stages on interpreter"} <= {c.name for c in report.checks}
    assert sd.gradcheck(norm, eps=1e-3, x=X, g=G, device="interpreter").ok
    assert sd.gradcheck(norm, backward=norm.vjp, eps=1e-3).ok


def by_hand(x: Any, g: Any, eps: float, d_y: Any, mu: Any, r: Any) -> dict[str, Any]:
    del eps
    root = r[..., None]
    hat, scaled = (x - mu[..., None]) * root, d_y * g
    along = (scaled * hat).mean(-1, keepdims=True)
    return {"x": root * (scaled - scaled.mean(-1, keepdims=True) - hat * along), "g": d_y * hat}


def test_a_backward_by_hand_may_take_them() -> None:
    def stale(mu: Any, r: Any, **more: Any) -> dict[str, Any]:
        return by_hand(mu=mu, r=r * 1.0001, **more)

    assert sd.gradcheck(norm, backward=by_hand, eps=1e-3).ok
    assert not sd.gradcheck(norm, backward=stale, eps=1e-3).ok


def test_no_backward_divides_by_what_may_be_nothing() -> None:
    """Through y the gradient of g would be y * d_y / g."""
    found = norm.vjp.reference(x=X, g=np.zeros((1, 3)), eps=1e-3, d_y=D_Y)
    assert np.isfinite(found["g"]).all()
    assert np.isfinite(norm.vjp(x=X, g=np.zeros((1, 3)), eps=1e-3, d_y=D_Y, device="interpreter")["g"]).all()
    assert "/ g" not in norm.vjp.formula


@pytest.mark.parametrize("name", ["softmax", "layer_norm", "layer_norm_affine", "cross_entropy"])
def test_library_ops_save_what_pays(name: str) -> None:
    """Their backwards compute no statistic of a row again."""
    operation = getattr(ops, name)
    assert set(operation.spec.saved) <= set(operation.vjp.inputs)
    assert not set(operation.spec.saved) & {t.name for s in operation.vjp.spec.stages for t in s.targets}
    assert "max(v)" not in operation.vjp.formula
    assert "mean(" not in operation.vjp.formula


def test_the_command_line_has_it() -> None:
    found = load_target("shaderdsl.ops:softmax.with_saved", Path.cwd())
    assert found.__name__ == "softmax.with_saved"
