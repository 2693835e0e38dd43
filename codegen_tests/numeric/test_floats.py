"""Float meanings at the points where it is easy to be wrong: halves, NaN, infinities, subnormals, single roundings."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import F16, F32, I32, Scalar, Struct
from shaderdsl.numeric.builtins import call
from shaderdsl.numeric.operators import binary
from shaderdsl.numeric.values import DTYPES, Array

INF, NAN = float("inf"), float("nan")
BOTH = pytest.mark.parametrize("scalar", [F32, F16], ids=str)


def evaluate(builtin: Builtin, *columns: Sequence[float], scalar: Scalar = F32) -> list[Any]:
    """A builtin of scalars on lists of floats."""
    arrays = [np.array(column, dtype=DTYPES[scalar]) for column in columns]
    result = call(builtin, arrays, [scalar] * len(arrays), scalar)
    assert not isinstance(result, tuple)
    assert result.dtype == DTYPES[scalar]
    return result.tolist()


def same(left: Sequence[float], right: Sequence[float]) -> bool:
    """Equal element for element, NaN to NaN, and the signs of zeros too."""
    return list(map(str, left)) == list(map(str, right))


@BOTH
def test_round_takes_halves_to_even(scalar: Scalar) -> None:
    halves = [k + 0.5 for k in range(-9, 9)]
    assert evaluate(Builtin.ROUND, halves, scalar=scalar) == [float(round(x)) for x in halves]
    assert evaluate(Builtin.ROUND, [1023.5, 1022.5], scalar=scalar) == [1024.0, 1022.0]
    below = float(np.nextafter(DTYPES[scalar].type(0.5), DTYPES[scalar].type(0)))
    assert evaluate(Builtin.ROUND, [below, -below], scalar=scalar) == [0.0, 0.0]


def test_round_at_the_largest_halves_of_f32() -> None:
    assert evaluate(Builtin.ROUND, [8388607.5, 8388606.5, 4194304.5, 4194305.5]) == [
        8388608.0,
        8388606.0,
        4194304.0,
        4194306.0,
    ]


@pytest.mark.parametrize(
    ("builtin", "arguments", "expected"),
    [
        (Builtin.MIN, ([NAN, 1, NAN], [1, NAN, NAN]), [1, 1, NAN]),
        (Builtin.MAX, ([NAN, 1, NAN], [1, NAN, NAN]), [1, 1, NAN]),
        (Builtin.CLAMP, ([NAN, 5, -5, 0], [-1, -1, -1, 3], [1, 1, 1, 2]), [-1, 1, -1, 2]),
        (Builtin.SATURATE, ([NAN, -INF, INF, 0.25],), [0, 0, 1, 0.25]),
        (Builtin.SIGN, ([-3, 0, 7, INF, NAN],), [-1, 0, 1, 1, NAN]),
        (Builtin.STEP, ([1, 1, NAN], [1, 0.5, 1]), [1, 0, 0]),
        (Builtin.SMOOTHSTEP, ([0, 0, 0, 2], [2, 2, 2, 2], [1, -1, 3, 3]), [0.5, 0, 1, 1]),
        (Builtin.POW, ([2, -2, 0, -1, 4], [3, 2, 0, 0, 0.5]), [8, NAN, 1, NAN, 2]),
        (Builtin.TANH, ([-INF, -1000, 1000, NAN],), [-1, -1, 1, NAN]),
        (Builtin.LOG, ([0, -1, 1],), [-INF, NAN, 0]),
        (Builtin.INVERSE_SQRT, ([0, 4, -1],), [INF, 0.5, NAN]),
        (Builtin.FRACT, ([-0.25, 1.75, -1e-10],), [0.75, 0.75, 1]),
        (Builtin.TRUNC, ([-1.5, 1.5, 1e30],), [-1, 1, float(np.float32(1e30))]),
        (
            Builtin.QUANTIZE_TO_F16,
            ([0.1, 65519, 65520, 2**-25, 2**-24 * 0.75],),
            [float(np.float16(0.1)), 65504, INF, 0, 2**-24],
        ),
        (Builtin.EXP2, ([-149, 127, 128, -150],), [2**-149, 2.0**127, INF, 0]),
    ],
)
def test_edges(builtin: Builtin, arguments: tuple[list[float], ...], expected: list[float]) -> None:
    assert same(evaluate(builtin, *arguments), [float(x) for x in expected])


@pytest.mark.parametrize("x", [0.0, 1.0, -0.75, 3.4028234663852886e38, 1e-45, -1.1754942106924411e-38, 5.5])
@BOTH
def test_frexp_and_modf_put_the_number_together_again(x: float, scalar: Scalar) -> None:
    value = np.array([min(x, 60000.0) if scalar == F16 else x]).astype(DTYPES[scalar])
    result = Struct("__frexp_result_f32", (), builtin=True)
    fract, exponent = pair(call(Builtin.FREXP, (value,), (scalar,), result))
    assert (exponent.dtype, fract.dtype) == (np.int32, value.dtype)
    assert np.ldexp(fract.astype(np.float64), exponent)[0] == value[0]
    assert value[0] == 0 or 0.5 <= abs(fract[0]) < 1
    fract, whole = pair(call(Builtin.MODF, (value,), (scalar,), result))
    assert fract[0] + whole[0] == value[0]
    assert whole[0] == np.trunc(value[0])


def test_frexp_of_what_is_not_finite() -> None:
    fract, exponent = pair(call(Builtin.FREXP, (np.array([INF, -INF, NAN], np.float32),), (F32,), F32))
    assert same(fract.tolist(), [INF, -INF, NAN])
    assert exponent.tolist() == [0, 0, 0]


def pair(value: Any) -> tuple[Array, Array]:
    """The two members of a structure."""
    first, second = value
    return first, second


@pytest.mark.parametrize(
    ("x", "exponent", "expected"),
    [
        (1.0, 127, 2.0**127),
        (1.0, 128, INF),
        (1.0, -149, 2.0**-149),
        (1.5, -149, 2.0**-148),
        (2.0**-149, 276, 2.0**127),
        (3.0, -(2**31), 0.0),
        (0.0, 2**31 - 1, 0.0),
        (1.0, 2**31 - 1, INF),
    ],
)
def test_ldexp_rounds_once(x: float, exponent: int, expected: float) -> None:
    got = call(Builtin.LDEXP, (np.array([x], np.float32), np.array([exponent], np.int32)), (F32, I32), F32)
    assert not isinstance(got, tuple)
    assert got.tolist() == [expected]


def nearest(exact: Fraction, scalar: Scalar) -> float:
    """The representable number nearest to an exact one, ties to the even significand, by exact comparison with neighbours."""
    dtype = DTYPES[scalar].type
    guess = np.array(float(exact)).astype(dtype)
    around = [guess, np.nextafter(guess, dtype(INF)), np.nextafter(guess, dtype(-INF))]
    finite = [float(x) for x in around if np.isfinite(x)]
    bits = np.uint32 if scalar == F32 else np.uint16
    return min(finite, key=lambda x: (abs(Fraction(x) - exact), int(np.array(x).astype(dtype).view(bits)) & 1))


@BOTH
def test_fma_rounds_once(scalar: Scalar) -> None:
    """Random patterns, and sums that lie a hair beside a tie, where rounding twice goes wrong."""
    random = np.random.default_rng(3)
    dtype, digits = DTYPES[scalar], 23 if scalar == F32 else 10
    x = (1 + random.integers(0, 2**digits, 4000) / 2**digits).astype(dtype)
    y = (1 + random.integers(0, 2**digits, 4000) / 2**digits).astype(dtype)
    z = np.ldexp(random.uniform(-2, 2, 4000), random.integers(-14, 12, 4000)).astype(dtype)
    x[:3], y[:3] = dtype.type(1 + 2.0**-digits), dtype.type(1)
    z[:3] = np.array([2.0**digits, 2.0 ** (digits + 1) - 1, -(2.0**digits)]).clip(-60000, 60000).astype(dtype)
    got = call(Builtin.FMA, (x, y, z), (scalar,) * 3, scalar)
    assert not isinstance(got, tuple)
    rows = zip(x.tolist(), y.tolist(), z.tolist(), strict=True)
    assert got.tolist() == [nearest(Fraction(a) * Fraction(b) + Fraction(c), scalar) for a, b, c in rows]


def test_fma_through_float64_alone_would_be_wrong() -> None:
    """The case that the correction is for: float64 rounds onto a tie of float32."""
    x, y, z = np.float32(1 + 2**-12), np.float32(1 + 2**-12), np.float32(2.0**-70)
    naive = np.float32(float(x) * float(y) + float(z))
    exact = nearest(Fraction(float(x)) ** 2 + Fraction(float(z)), F32)
    assert float(naive) != exact
    assert evaluate(Builtin.FMA, [float(x)], [float(y)], [float(z)]) == [exact]


def test_fma_of_what_is_not_finite() -> None:
    assert same(evaluate(Builtin.FMA, [INF, INF, 1], [1, 0, 1], [1, 1, -INF]), [INF, NAN, -INF])


@BOTH
@pytest.mark.parametrize("op", [BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.DIV])
def test_arithmetic_is_correctly_rounded(op: BinaryOp, scalar: Scalar) -> None:
    random = np.random.default_rng(11)
    x, y = (np.ldexp(random.uniform(1, 2, 2000), random.integers(-6, 6, 2000)).astype(DTYPES[scalar]) for _ in range(2))
    got = binary(op, x, y, scalar, scalar)
    rows = list(zip(map(Fraction, x.tolist()), map(Fraction, y.tolist()), strict=True))
    exact = {
        BinaryOp.ADD: lambda: [a + b for a, b in rows],
        BinaryOp.SUB: lambda: [a - b for a, b in rows],
        BinaryOp.MUL: lambda: [a * b for a, b in rows],
        BinaryOp.DIV: lambda: [a / b for a, b in rows],
    }[op]()
    assert got.tolist() == [nearest(value, scalar) for value in exact]


def test_remainder_is_exact_and_has_the_sign_of_the_left() -> None:
    x, y = np.array([5.5, -5.5, 5.5, 1e30, 1, 1], np.float32), np.array([-3, 3, 3, 0.7, 0, INF], np.float32)
    expected = [2.5, -2.5, 2.5, float(Fraction(float(x[3])) % Fraction(float(y[3]))), NAN, 1.0]
    assert same(binary(BinaryOp.REM, x, y, F32, F32).tolist(), expected)
