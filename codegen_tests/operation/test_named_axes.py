"""Axes of one name in a written given line are equally long, wherever they are read; inferred names promise nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl.spec.notation import OpSpec, TensorInput

GIVEN = "given a[n], b[n]\ny[i] = a[i]\nz[j] = b[j] * 2\nout(y, z)"
PAIR = sd.op("pair", GIVEN)
UNEQUAL: dict[str, tuple[str, dict[str, Any], str]] = {
    "floats": (GIVEN, {"a": np.ones(5), "b": np.ones(3)}, "axis n is 5 in a and 3 in b"),
    "whole": (
        "given ids[t]: i32, w[v, c], d[t, c]\ny[s, c] = w[ids[s], c]\nz[s] = sum(c) d[s, c]\nout(y, z)",
        {"ids": np.zeros(4, np.int32), "w": np.ones((2, 3)), "d": np.ones((6, 3))},
        "axis t is 4 in ids and 6 in d",
    ),
    "one input": ("given a[n, n]\ny[i, j] = a[i, j]", {"a": np.ones((2, 3))}, "axis n is 2 in a and 3 in a"),
    "after leading axes": (
        "given x[..., n], g[n]\ns[...] = sum(i) x[..., i]\nz[i] = g[i]\nout(s, z)",
        {"x": np.ones((2, 4, 5)), "g": np.ones(4)},
        "axis n is 5 in x and 4 in g",
    ),
    "written extents": (
        "given a[n], b[n]\ny[i < 2] = a[i] + b[i]",
        {"a": np.ones(5), "b": np.ones(3)},
        "axis n is 5 in a and 3 in b",
    ),
    "shifted": (
        "given x[t], w[t]\ny[t < size(t)] = x[t - 1] * w[0]",
        {"x": np.ones(5), "w": np.ones(1)},
        "axis t is 5 in x and 1 in w",
    ),
}


def fitting(spec: OpSpec, arguments: dict[str, Any]) -> dict[str, Any]:
    """Arrays for the other inputs, as long as the first axis of a name."""
    sizes: dict[str | None, int] = {}
    for given in (i for i in spec.inputs if isinstance(i, TensorInput)):
        for axis, size in zip(given.axes, np.shape(arguments.get(given.name, 0))):
            sizes.setdefault(axis, size)
    others = (i for i in spec.inputs if isinstance(i, TensorInput) and i.name not in arguments)
    return {i.name: np.ones([sizes.get(a, 2) for a in i.axes]) for i in others}


@pytest.mark.parametrize("case", UNEQUAL)
def test_axes_of_one_name_are_equal(case: str, executor_name: str) -> None:
    formula, arguments, message = UNEQUAL[case]
    operation = sd.op("unequal", formula)
    tangents = {f"t_{n}": v for n, v in arguments.items() if f"t_{n}" in operation.jvp.inputs}
    incoming = fitting(operation.vjp.spec_at({n: np.shape(v) for n, v in arguments.items()}), arguments)
    for call, more in ((operation, {}), (operation.jvp, tangents), (operation.vjp, incoming)):
        with pytest.raises(sd.LaunchError, match=message):
            call(**arguments, **more, device=executor_name)
        with pytest.raises(sd.LaunchError, match=message):
            call.reference(**arguments, **more)


def test_the_error_stands_at_the_call() -> None:
    with pytest.raises(sd.LaunchError) as found:
        PAIR.reference(a=np.ones(5), b=np.ones(3))
    assert "PAIR.reference(a=np.ones(5), b=np.ones(3))" in str(found.value)
    assert "help: pass arrays whose sizes agree" in str(found.value)


def test_equal_axes_run(executor_name: str) -> None:
    found = PAIR(np.ones(5), np.arange(5.0), device=executor_name)
    np.testing.assert_array_equal(found["z"], 2 * np.arange(5))
    gradients = PAIR.vjp(a=np.ones(5), b=np.ones(5), d_y=np.ones(5), d_z=np.ones(5), device=executor_name)
    np.testing.assert_array_equal(gradients["b"], np.full(5, 2.0))


def test_inferred_names_promise_nothing(executor_name: str) -> None:
    """`i` would name both axes; the text has no name for the second, so that it says the same when it is read again."""
    scaled = sd.op("scaled", "y[i] = x[i] * scale[i // 4]")
    assert scaled.formula == "given x[i], scale[_]\ny[i] = x[i] * scale[i // 4]"
    again = sd.op("scaled", scaled.formula)
    for operation in (scaled, again):
        np.testing.assert_array_equal(operation(np.ones(8), np.ones(2), device=executor_name), np.ones(8))
        found = operation.vjp(x=np.ones(8), scale=np.ones(2), d_y=np.ones(8), device=executor_name)
        np.testing.assert_array_equal(found["scale"], [4, 4])


def test_inferred_names_of_equal_axes_stay() -> None:
    assert sd.op("product", "y[i, j] = sum(k) a[i, k] * b[k, j]").formula.startswith("given a[i, k], b[k, j]\n")


def test_a_derivation_uses_the_equality() -> None:
    """One name for the axis that both have, in inputs and in what is derived."""
    formula = "given x[t, g], B[t, g, n], C[t, g, n]\nh[t, g, n] = scan(t) h[t - 1, g, n] + B[t, g, n] * x[t, g]\n"
    ssd = sd.op("ssd", formula + "y[t, g] = sum(n) h[t, g, n] * C[t, 0 * g, n]")
    assert ssd.vjp.formula.startswith("given x[t, g], B[t, g, n], C[t, g, n], d_y[t, g]\n")
    assert "C_1" not in ssd.vjp.formula


def test_sizes_follow_a_renamed_axis() -> None:
    """a and b are of one length, so the derived text has one name for it, also inside size()."""
    total = sd.op("total", "given a[n], b[m]\ny[i] = (a[i] + b[i]) * size(m)")
    assert "size(m)" not in total.vjp.formula
    found = sd.op("again", total.vjp.formula).reference(a=np.ones(4), b=np.ones(4), d_y=np.ones(4))
    np.testing.assert_array_equal(found["d_a"], np.full(4, 4.0))


def test_a_renamed_axis_is_no_index_of_the_stage() -> None:
    """n is an index of its own there, so size(m) could not be size(n)."""
    total = sd.op("total", "given a[n], b[m]\ny[n < 2, i] = (a[i] + b[i]) ** 2 * size(m)")
    x = {"a": np.ones(4), "b": np.ones(4), "d_y": np.ones((2, 4))}
    np.testing.assert_array_equal(total.vjp.reference(**x)["a"], np.full(4, 2 * 4 * 2 * 2.0))


LIBRARY = {"pair": PAIR}


@pytest.mark.parametrize(
    "formula",
    [
        "y, z = pair(u, v)\nout(y, z)",
        "given u[k], v[k]\ny, z = pair(u, v)\nout(y, z)",
        "p[j] = 2 * u[j]\ny, z = pair(p, v)\nout(y, z)",
    ],
)
def test_a_called_formula_keeps_its_axes_equal(formula: str) -> None:
    calling = sd.op("calling", formula, library=LIBRARY)
    calling.reference(u=np.ones(3), v=np.ones(3))
    with pytest.raises(sd.LaunchError, match="is 3 in u and 4 in v"):
        calling.reference(u=np.ones(3), v=np.ones(4))


def test_stages_of_one_written_extent_are_equal() -> None:
    formula = "p[i < 3] = u[i]\nq[j < 3] = 2 * u[j]\ny, z = pair(p, q)\nout(y, z)"
    assert sd.op("calling", formula, library=LIBRARY).reference(u=np.ones(5))["z"].shape == (3,)
