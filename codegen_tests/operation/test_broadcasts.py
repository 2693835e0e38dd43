"""Derivatives where leading axes of 1 are broadcast: gradients are summed to the shapes of the inputs, as numpy would."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl.ops import scores
from shaderdsl.spec.print import format_spec

MIXED = sd.op("mixed", "e[...] = exp(c[...])\ny[...] = a[...] * b[...] + e[...] * b[...]")
ROWS = sd.op(
    "rows", "given x[..., i], g[..., i]\ns[...] = sum(i) x[..., i] * g[..., i]\ny[..., i] = g[..., i] * s[...]"
)
SCANNED = sd.op("scanned", "h[..., t] = scan(t) a[..., t] * h[..., t - 1] + b[..., t]")
APART = sd.op("apart", "p[...] = a[...] * k[...]\nq[...] = b[...] * k[...]\nout(p, q)")
SHAPES = (
    ((4, 5), (1, 5), (1,)),
    ((4, 5), (4, 5), (4, 5)),
    ((1,), (3,), ()),
    ((), (3,), (1,)),
    ((1, 5), (4, 1), (1, 1)),
    ((1, 1), (1, 1), (1, 1)),
    ((2, 1, 3), (1, 3), (4, 1)),
    ((2, 3, 4), (4,), (1, 1, 1)),
    ((1, 1, 4), (3, 1), ()),
    ((5,), (1, 1), (2, 1)),
    ((0,), (1,), (1,)),
    ((1,), (0,), (0,)),
    ((1, 0), (3, 1), (1,)),
    ((2, 1), (1, 1), (2, 3)),
)
Arrays = dict[str, Any]


def drawn(seed: int, **shapes: tuple[int, ...]) -> Arrays:
    random = np.random.default_rng(seed)
    return {n: random.normal(size=s).astype(np.float32).astype(np.float64) for n, s in shapes.items()}


def summed(gradient: Any, shape: tuple[int, ...]) -> Any:
    """A gradient of a broadcast array as that of the array."""
    gradient = gradient.sum(tuple(range(gradient.ndim - len(shape))))
    return gradient.sum(tuple(p for p, n in enumerate(shape) if n == 1), keepdims=True).reshape(shape)


def by_hand(x: Arrays, d_y: Any) -> Arrays:
    """The gradients of `mixed` in numpy."""
    a, b, c = (x[n] for n in "abc")
    whole = {"a": d_y * b, "b": d_y * (a + np.exp(c)), "c": d_y * b * np.exp(c)}
    return {n: summed(np.broadcast_to(g, d_y.shape), x[n].shape) for n, g in whole.items()}


def by_output(operation: sd.Op, arguments: Arrays) -> Arrays:
    found: Any = operation.reference(**arguments)
    names = list(operation.spec.outputs)
    return found if len(names) > 1 else {names[0]: found}


def close(found: Arrays, expected: Arrays, tolerance: float) -> None:
    assert {n: np.shape(v) for n, v in found.items()} == {n: np.shape(v) for n, v in expected.items()}
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, rtol=tolerance, atol=tolerance, err_msg=name)


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_gradients_have_the_shapes_of_the_inputs(shapes: tuple[tuple[int, ...], ...], executor_name: str) -> None:
    x = drawn(0, **dict(zip("abc", shapes)))
    d_y = drawn(1, y=np.shape(MIXED.reference(**x)))["y"]
    close(MIXED.vjp.reference(**x, d_y=d_y), by_hand(x, d_y), 1e-12)
    close(MIXED.vjp(**x, d_y=d_y, device=executor_name), by_hand(x, d_y), 1e-5)


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_tangents_and_second_derivatives(shapes: tuple[tuple[int, ...], ...], executor_name: str) -> None:
    x, t = drawn(0, **dict(zip("abc", shapes))), drawn(2, **dict(zip(("t_a", "t_b", "t_c"), shapes)))
    tangent = t["t_a"] * x["b"] + (x["a"] + np.exp(x["c"])) * t["t_b"] + np.exp(x["c"]) * x["b"] * t["t_c"]
    np.testing.assert_allclose(MIXED.jvp.reference(**x, **t), tangent, atol=1e-12)
    found = MIXED.jvp(**x, **t, device=executor_name)
    assert found.shape == tangent.shape
    np.testing.assert_allclose(found, tangent, rtol=1e-5, atol=1e-5)
    d_y = drawn(1, y=tangent.shape)["y"]
    second = {**x, "d_y": d_y, "d_d_a": t["t_a"], "d_d_b": t["t_b"], "d_d_c": t["t_c"]}
    expected = MIXED.vjp.vjp.reference(**second)
    np.testing.assert_allclose(expected["d_y"], tangent, atol=1e-12)
    close(MIXED.vjp.vjp(**second, device=executor_name), expected, 1e-4)


@pytest.mark.parametrize("operation", [ROWS, SCANNED, APART], ids=lambda o: o.name)
def test_reductions_scans_and_what_never_meets(operation: sd.Op, executor_name: str) -> None:
    """`k` of 1 goes with `a` of 4 and `b` of 3, which do not meet."""
    shapes = {
        "rows": {"x": (2, 1, 3), "g": (4, 3)},
        "scanned": {"a": (1, 4), "b": (3, 2, 4)},
        "apart": {"a": (4,), "b": (3,), "k": (1,)},
    }[operation.name]
    x, ways = drawn(0, **shapes), drawn(2, **shapes)
    outputs = by_output(operation, x)
    weights = drawn(1, **{n: np.shape(v) for n, v in outputs.items()})
    incoming = {f"d_{n}": w for n, w in weights.items()}
    found = operation.vjp.reference(**x, **incoming)
    step = 1e-6
    up, down = (by_output(operation, {n: v + s * ways[n] for n, v in x.items()}) for s in (step, -step))
    slope = sum(float(((up[n] - down[n]) * w).sum()) for n, w in weights.items()) / (2 * step)
    np.testing.assert_allclose(sum(float((found[n] * ways[n]).sum()) for n in x), slope, rtol=1e-7)
    close(operation.vjp(**x, **incoming, device=executor_name), found, 1e-4)


def test_resident_gradients_keep_their_axes(executor_name: str) -> None:
    hosts = drawn(0, a=(4, 5), b=(1, 5), c=(4, 1))
    x: dict[str, Any] = {n: sd.array(v.astype(np.float32), device=executor_name) for n, v in hosts.items()}
    found = MIXED.vjp(**x, d_y=sd.array(np.ones((4, 5), np.float32), device=executor_name))
    assert {n: v.shape for n, v in found.items()} == {"a": (4, 5), "b": (1, 5), "c": (4, 1)}
    np.testing.assert_allclose(found["b"].numpy()[0], (x["a"].numpy() + np.exp(x["c"].numpy())).sum(0), rtol=1e-5)


def test_the_derived_text_sums_over_what_is_broadcast() -> None:
    shapes = {"a": (4, 5), "b": (1, 5), "c": ()}
    assert "d_b[b2] = sum(b)" in format_spec(MIXED.vjp.spec_at(shapes))
    assert "fn mixed_vjp_d_b(" in MIXED.vjp.wgsl("naga", **shapes)


def test_a_gradient_of_another_shape_is_refused() -> None:
    x = drawn(0, a=(4, 5), b=(1, 5), c=(1,))
    with pytest.raises(sd.LaunchError, match="axis b is 4 in a and 1 in d_y"):
        MIXED.vjp(**x, d_y=np.ones((1, 5)), device="interpreter")
    with pytest.raises(sd.LaunchError, match=r"t_b of shape \(4, 5\) has no axis of 1 at -2"):
        MIXED.jvp.reference(**x, t_a=x["a"], t_b=x["a"], t_c=x["c"])


def test_what_does_not_broadcast_is_refused() -> None:
    x = drawn(0, a=(4, 5), b=(3, 5), c=(1,))
    with pytest.raises(sd.LaunchError, match="axis b is 4 in a and 3 in b"):
        MIXED.vjp.reference(**x, d_y=np.ones((4, 5)))


def test_gradcheck_of_broadcast_arguments() -> None:
    x = drawn(0, a=(4, 5), b=(1, 5), c=(4, 1))

    def right(a: Any, b: Any, c: Any, d_y: Any) -> Arrays:
        return by_hand({"a": a, "b": b, "c": c}, d_y)

    def unsummed(a: Any, b: Any, c: Any, d_y: Any) -> Arrays:
        return {**right(a, b, c, d_y), "b": d_y * (a + np.exp(c))}

    assert sd.gradcheck(MIXED, device="interpreter", **x).ok
    assert sd.gradcheck(MIXED, backward=right, **x).ok
    assert sd.gradcheck(MIXED, backward=MIXED.vjp, **x).ok
    assert not sd.gradcheck(MIXED, backward=unsummed, **x).ok


def test_a_library_op_broadcasts() -> None:
    """One key for the queries of a batch; the record is for axes that are equal."""
    x = drawn(0, q=(3, 2, 4), k=(1, 5, 4))
    d_s = drawn(1, s=(3, 2, 5))["s"]
    found = scores.vjp.reference(**x, scale=0.5, d_s=d_s)
    np.testing.assert_allclose(found["k"], 0.5 * np.einsum("btu,btc->uc", d_s, x["q"])[None])


def test_a_graph_sums_over_what_is_broadcast() -> None:
    """Also in the gradient of a gradient."""
    squares = sd.op("squares", "s = sum(i, j) y[i, j] ** 2")
    x = drawn(0, a=(4, 5), b=(1, 5), c=(4, 1))

    def first(a: Any, b: Any, c: Any) -> Any:
        return sd.grad(squares(MIXED(a=a, b=b, c=c)), {"a": a, "b": b, "c": c})

    def second(a: Any, b: Any, c: Any) -> Any:
        return sd.grad(squares(first(a, b, c)["b"]), {"a": a, "b": b, "c": c})

    single = {n: v.astype(np.float32) for n, v in x.items()}
    close(sd.compile(first)(**single), by_hand(x, 2 * MIXED.reference(**x)), 1e-4)

    def squared(moved: Arrays) -> float:
        return float((by_hand(moved, 2 * MIXED.reference(**moved))["b"] ** 2).sum())

    ways, step = drawn(3, a=(4, 5), b=(1, 5), c=(4, 1)), 1e-5
    up, down = (squared({n: v + s * ways[n] for n, v in x.items()}) for s in (step, -step))
    found = sd.compile(second)(**single)
    assert {n: np.shape(v) for n, v in found.items()} == {n: v.shape for n, v in x.items()}
    slope = sum(float((found[n] * ways[n]).sum()) for n in x)
    np.testing.assert_allclose(slope, (up - down) / (2 * step), rtol=1e-3)
