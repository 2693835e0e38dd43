"""The table of functions: every scalar builtin is in it, meanings agree with the interpreter's, stable forms stay finite."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pytest

from shaderdsl.ir.builtins import OVERLOADS, Builtin, Like, Overload, Shape
from shaderdsl.ir.types import F32, I32, Vector
from shaderdsl.numeric.builtins import call
from shaderdsl.spec.functions import ALIASES, FUNCTIONS, TABLE, Domain, lookup
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.reference import evaluate

REDUCING = frozenset({Builtin.ALL, Builtin.ANY})
"""Of vectors of conditions: a formula has no vectors."""


def on_scalars(overload: Overload) -> bool:
    """Whether an overload takes scalars and gives one."""
    forms = (*overload.parameters, overload.result)
    structures = (Like.FREXP, Like.MODF)
    return overload.shape is Shape.SCALAR_OR_VECTOR and not any(isinstance(f, Vector) or f in structures for f in forms)


def missing(known: Collection[Builtin | None]) -> set[Builtin]:
    """Scalar builtins that the table lacks."""
    wanted = {b for b in Builtin if any(on_scalars(o) for o in OVERLOADS[b])}
    return wanted - set(known) - REDUCING


def test_every_scalar_builtin_is_a_function() -> None:
    assert missing({f.builtin for f in TABLE}) == set()


def test_a_gap_is_found() -> None:
    assert missing({f.builtin for f in TABLE} - {Builtin.EXP}) == {Builtin.EXP}


def test_names_lead_to_rows() -> None:
    assert all(name in FUNCTIONS for name in ALIASES.values())
    assert lookup("inverseSqrt") is lookup("inverse_sqrt") is FUNCTIONS["rsqrt"]
    assert lookup("countOneBits") is FUNCTIONS["count_one_bits"]
    assert lookup("blorp") is None


FLOATS = [f for f in TABLE if f.builtin is not None and f.domain in (Domain.FLOAT, Domain.NUMERIC)]
ABOVE_ONE = {"acosh"}
POSITIVE = {"log", "log2", "sqrt", "rsqrt", "pow"}


@pytest.mark.parametrize("function", FLOATS, ids=lambda f: f.name)
def test_meaning_is_the_builtins(function: Any) -> None:
    random = np.random.default_rng(7)
    low = 1.0 if function.name in ABOVE_ONE else 0.1 if function.name in POSITIVE else -0.95
    points: list[Any] = [random.uniform(low, low + 1.9, 16) for _ in range(function.arity)]
    if function.name in ("clamp", "smoothstep"):
        points = [np.sort(np.stack(points), axis=0)[i] for i in ((1, 0, 2) if function.name == "clamp" else (0, 2, 1))]
    types = [F32] * function.arity
    narrow = [p.astype(np.float32) for p in points]
    if function.name == "ldexp":
        points[1], types[1] = random.integers(-3, 4, 16).astype(np.float64), I32
        narrow[1] = points[1].astype(np.int32)
    expected: Any = call(function.builtin, narrow, types, F32)
    wide = [np.asarray(n, dtype=np.float64) for n in narrow]
    np.testing.assert_allclose(function.meaning(*wide), expected, rtol=2e-6, atol=1e-6)


FAR = np.array([0.0, 1e-30, -1e-30, 20.0, -20.0, 88.0, -88.0, 89.0, -89.0, 1e4, -1e4])


@pytest.mark.parametrize("name", ["sigmoid", "silu", "silu_slope", "softplus", "gelu", "relu", "tanh"])
def test_stable_forms_are_finite_and_right(name: str) -> None:
    wide = FAR.astype(np.longdouble)
    with np.errstate(over="ignore"):
        exact = {
            "sigmoid": 1 / (1 + np.exp(-wide)),
            "silu": wide / (1 + np.exp(-wide)),
            "silu_slope": 1 / (1 + np.exp(-wide)) * (1 + wide / (1 + np.exp(wide))),
            "softplus": np.logaddexp(wide, 0),
            "gelu": wide / (1 + np.exp(-2 * np.sqrt(2 / np.longdouble(np.pi)) * (wide + 0.044715 * wide**3))),
            "relu": np.maximum(wide, 0),
            "tanh": np.tanh(wide),
        }[name]
    with np.errstate(over="raise", invalid="raise"):
        found = FUNCTIONS[name].meaning(FAR)
        step: Any = FUNCTIONS[name].meaning(FAR + 1e-30j)
    np.testing.assert_allclose(found, exact.astype(np.float64), rtol=1e-13, atol=1e-300)
    real: Any = np.real(step)
    np.testing.assert_allclose(real, found, rtol=1e-13, atol=1e-59)
    assert np.isfinite(step).all()


SLOPES = {"expm1": "exp", "exprel": "exprel_slope", "gelu": "gelu_slope", "silu": "silu_slope", "softplus": "sigmoid"}


@pytest.mark.parametrize("name", SLOPES)
def test_a_complex_step_gives_the_slope(name: str) -> None:
    """To the last digits near 0 too, where numpy's own functions of complex numbers lose them."""
    x = np.array([0.0, 1e-30, -1e-30, 1e-8, -1e-8, 0.49, 0.51, -0.49, -0.51, 0.99, 1.01, -0.99, -1.01, 20, -20, -1e4])
    step: Any = FUNCTIONS[name].meaning(x + 1e-30j)
    np.testing.assert_allclose(np.imag(step) / 1e-30, FUNCTIONS[SLOPES[name]].meaning(x), rtol=1e-14, atol=1e-290)


def test_a_complex_step_through_the_naive_exprel_loses_its_digits() -> None:
    z = np.array([1e-8 + 1e-30j])
    assert abs(float(np.imag(np.expm1(z) / z)[0]) / 1e-30 - 0.5) > 1e-9


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("y[i] = a[i] * 2654435761 + 1", [1, 2654435762, 1640531536]),
        ("y[i] = bit_xor(shift_left(a[i], 31), a[i])", [0, 0x80000001, 0x7FFFFFFF]),
        ("y[i] = mul_high(a[i], 0xD2511F53)", [0, 0, 0xD2511F52]),
        ("y[i] = a[i] - 1", [0xFFFFFFFF, 0, 0xFFFFFFFE]),
        ("y[i] = count_one_bits(a[i])", [0, 1, 32]),
        ("y[i] = extract_bits(a[i], 4, 8)", [0, 0, 255]),
        ("y[i] = -a[i] % 7", [0, 0xFFFFFFFF % 7, 1]),
    ],
)
def test_whole_numbers_wrap(formula: str, expected: list[int]) -> None:
    spec = parse_spec("bits", f"given a[i]: u32\n{formula}")
    found = evaluate(spec, {"a": np.array([0, 1, 2**32 - 1], dtype=np.uint32)})["y"]
    np.testing.assert_array_equal(found, expected)


def test_signed_numbers_wrap_and_convert() -> None:
    spec = parse_spec(
        "signed", "given a[i]: i32, x[i]\ny[i] = a[i] * a[i]\nz[i] = i32(x[i])\nw[i] = u32(x[i])\nout(y, z, w)"
    )
    found = evaluate(spec, {"a": np.array([46341, -3, 7]), "x": np.array([-1.9, 3e9, np.nan])})
    np.testing.assert_array_equal(found["y"], [46341**2 - 2**32, 9, 49])
    np.testing.assert_array_equal(found["z"], [-1, 2**31 - 1, 0])
    np.testing.assert_array_equal(found["w"], [0, 3_000_000_000, 0])


def test_select_has_the_order_of_wgsl() -> None:
    one = parse_spec("a", "y[i] = select(x[i], 0.0, x[i] < 0)").stages
    assert one == parse_spec("b", "y[i] = where(x[i] < 0, 0.0, x[i])").stages
