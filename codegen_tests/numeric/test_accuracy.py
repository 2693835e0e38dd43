"""Acceptance intervals: around the interpreter's value, close to the conformance suite's, and empty of wrong answers."""

from __future__ import annotations

import numpy as np
import pytest

from codegen_tests.numeric.conformance import BUILTINS, OPERATORS, Group, evaluate, load
from shaderdsl.errors import InternalError
from shaderdsl.ir.accuracy import ACCURACY, EXACT, Operation
from shaderdsl.ir.builtins import OVERLOADS, Builtin, result_type
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import F16, F32, Matrix, Scalar, Type, Vector
from shaderdsl.numeric.accuracy import INTERVALS, RAW, interval
from shaderdsl.numeric.builtins import call
from shaderdsl.numeric.operators import binary
from shaderdsl.numeric.values import DTYPES, Array, Wide

PACKS = {b for b in Builtin if b.value.startswith("pack")}
WITH_AXIS = {Builtin.LENGTH, Builtin.DISTANCE}
VECTOR_FUNCTIONS = [
    Builtin.DOT,
    Builtin.CROSS,
    Builtin.NORMALIZE,
    Builtin.FACE_FORWARD,
    Builtin.REFLECT,
    Builtin.LENGTH,
    Builtin.DISTANCE,
]


def operation_of(group: Group) -> Operation | None:
    """What a group exercises, where an interval exists for its result."""
    if group.result != F32 or group.types[0] != F32 or group.test == "f32_whole":
        return None
    family, _, kind = group.operation.partition(",")
    if family == "binary":
        name = group.test.removesuffix("_compound")
        return OPERATORS[kind if name == "scalar" else name]
    if family == "unary":
        return UnaryOp.NEGATE if group.test == "negation" else None
    return BUILTINS.get(family)


def hull(group: Group) -> tuple[Wide, Wide]:
    """Least and greatest of each case's intervals."""
    low = [min(float(a) for a, _ in case) for case in group.intervals]
    high = [max(float(b) for _, b in case) for case in group.intervals]
    return np.array(low), np.array(high)


def test_intervals_agree_with_the_conformance_suite() -> None:
    """Ours, stretched by a third (an intermediate rounding more or less), hold the suite's; each holds the interpreter's value."""
    checked = 0
    for group in load():
        operation = operation_of(group)
        if operation is None or operation in EXACT:
            continue
        columns = [c[:, None] for c in group.columns()] if operation in WITH_AXIS else group.columns()
        low, high = interval(operation, columns, F32)
        value = evaluate(group).astype(np.float64)
        assert np.all((low <= value) & (value <= high)), group.operation
        with np.errstate(invalid="ignore"):
            slack = np.where(np.isfinite(high - low), (high - low) / 3 + 1e-44, 0.0)
        least, greatest = hull(group)
        assert np.all((low - slack <= least) & (greatest <= high + slack)), group.operation
        checked += len(value)
    assert checked > 15_000


def test_the_table_covers_every_bound() -> None:
    assert INTERVALS.keys() | RAW.keys() == ACCURACY.keys() - PACKS


def test_an_exact_operation_has_no_interval() -> None:
    with pytest.raises(InternalError, match="reverseBits has no interval"):
        interval(Builtin.REVERSE_BITS, (np.array([1], np.uint32),), F32)


def test_a_wrong_answer_lies_outside() -> None:
    x = np.array([0.5, 1.0, 2.0], np.float32)
    for builtin in (Builtin.EXP, Builtin.SIN, Builtin.TANH, Builtin.SQRT, Builtin.ATAN):
        low, high = interval(builtin, (x,), F32)
        wrong = np.asarray(call(builtin, (x,), (F32,), F32)).astype(np.float64) + 0.01
        assert not np.any((low <= wrong) & (wrong <= high)), builtin
    low, high = interval(BinaryOp.ADD, (x, x), F32)
    assert low.tolist() == high.tolist() == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("scalar", [F32, F16], ids=str)
@pytest.mark.parametrize("operation", [o for o in INTERVALS if isinstance(o, Builtin)], ids=lambda o: o.value)
def test_the_interpreter_is_always_accepted(operation: Builtin, scalar: Scalar) -> None:
    if operation is Builtin.QUANTIZE_TO_F16:
        scalar = F32
    count = len(OVERLOADS[operation][0].parameters)
    random = np.random.default_rng(5)
    shape = shape_of(operation, scalar)
    size = (
        (64, shape.columns, shape.rows)
        if isinstance(shape, Matrix)
        else (64, 3)
        if isinstance(shape, Vector)
        else (64,)
    )
    columns: list[Array] = [random.uniform(-4, 4, size).astype(DTYPES[scalar]) for _ in range(count)]
    types: list[Type] = [shape] * count
    if operation is Builtin.REFRACT:
        columns[2], types[2] = np.abs(columns[2][:, 0]), scalar
    result = result_type(operation, types)
    assert result is not None
    value = call(operation, columns, types, result)
    low, high = interval(operation, columns, scalar)
    first = np.asarray(value[0] if isinstance(value, tuple) else value, dtype=np.float64)
    assert low.shape == first.shape
    assert np.all(((low <= first) & (first <= high)) | (np.isnan(first) & np.isinf(low)))


def shape_of(operation: Builtin, scalar: Scalar) -> Type:
    """A type that the builtin takes as its first argument."""
    if operation in (Builtin.DETERMINANT, Builtin.TRANSPOSE):
        return Matrix(3, 3, scalar)
    return Vector(3, scalar) if operation in (*VECTOR_FUNCTIONS, Builtin.REFRACT) else scalar


def test_nothing_is_promised_of_nan_infinity_and_poles() -> None:
    for bad in (np.nan, np.inf):
        low, high = interval(BinaryOp.MUL, (np.array([bad], np.float32), np.array([1], np.float32)), F32)
        assert (low.tolist(), high.tolist()) == ([-np.inf], [np.inf])
    for x, y in ((1.0, 0.0), (1.0, 1e-39), (3e38, 1e-3)):
        low, _ = interval(BinaryOp.DIV, (np.array([x], np.float32), np.array([y], np.float32)), F32)
        assert low.tolist() == [-np.inf]


def test_subnormals_may_flush() -> None:
    low, high = interval(BinaryOp.MUL, (np.array([1e-20], np.float32), np.array([1e-20], np.float32)), F32)
    assert low[0] == 0 < high[0]
    low, high = interval(Builtin.MAX, (np.array([1e-40], np.float32), np.array([2e-40], np.float32)), F32)
    assert low[0] == 0
    assert high[0] == float(np.float32(2e-40))


def test_ldexp_and_unpack_have_integers() -> None:
    low, high = interval(Builtin.LDEXP, (np.array([1.5], np.float32), np.array([3], np.int32)), F32)
    assert low.tolist() == high.tolist() == [12.0]
    low, high = interval(Builtin.UNPACK4X8_UNORM, (np.array([0xFF], np.uint32),), F32)
    assert low.shape == (1, 4)
    assert low[0, 0] < 1 < high[0, 0] < 1.000001


def test_a_division_is_held_to_two_and_a_half_units() -> None:
    low, high = interval(BinaryOp.DIV, (np.array([1], np.float32), np.array([3], np.float32)), F32)
    exact = binary(BinaryOp.DIV, np.array([1], np.float32), np.array([3], np.float32), F32, F32).astype(np.float64)
    assert np.all((exact - low < 4 * 2.0**-25) & (high - exact < 4 * 2.0**-25))
    assert low[0] < exact[0] < high[0]
