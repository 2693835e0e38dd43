"""Element types of expressions: f32 unless all is whole, comparisons are bool, and whole constants take the type beside them.

kind_of(Operation(ADD, (Read("ids", (i,)), Number(1))), {"ids": Dtype.I32}) is Dtype.I32

A kind is a Dtype, or None for whole numbers that have no type yet: constants, indices and sizes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

from shaderdsl.errors import Location, SpecError
from shaderdsl.spec.functions import FUNCTIONS, RESULTS, Domain, ScalarFunction
from shaderdsl.spec.notation import (
    Dtype,
    Function,
    Index,
    Number,
    Operation,
    Operator,
    OpSpec,
    Parameter,
    Read,
    Reduction,
    ReductionKind,
    Scalar,
    Scan,
    Size,
    Stage,
    TensorInput,
)

Kind: TypeAlias = Dtype | None

COMPARISONS = frozenset({Operator.EQ, Operator.NE, Operator.LT, Operator.LE, Operator.GT, Operator.GE})
LOGICAL = frozenset({Operator.AND, Operator.OR, Operator.NOT})
WHOLE = (None, Dtype.I32, Dtype.U32)


def common(kinds: Sequence[Kind], loc: Location | None = None) -> Kind:
    """The type in which numbers of these kinds meet; a condition counts as the whole number 0 or 1."""
    if Dtype.F32 in kinds:
        return Dtype.F32
    if Dtype.I32 in kinds and Dtype.U32 in kinds:
        raise SpecError("i32 and u32 do not mix", loc, hints=["convert one: i32(x) or u32(x)"])
    return next((k for k in kinds if k in (Dtype.I32, Dtype.U32)), None)


def operation_kind(
    operation: Operator, arguments: Sequence[Scalar], kinds: Sequence[Kind], loc: Location | None
) -> Kind:
    """The kind of an operation on operands of these kinds."""
    if operation in LOGICAL:
        if any(k is not Dtype.BOOL for k in kinds):
            hint = "compare it: x != 0"
            raise SpecError(f"{operation.value} takes conditions, not numbers", loc, hints=[hint])
        return Dtype.BOOL
    met = common(kinds, loc)
    if operation in COMPARISONS:
        return Dtype.BOOL
    if operation is Operator.DIV:
        return Dtype.F32
    if operation in (Operator.FLOOR_DIV, Operator.MOD) and met is Dtype.F32:
        hint = "write floor(a / b)" if operation is Operator.FLOOR_DIV else "write a - b * floor(a / b)"
        raise SpecError(f"{operation.value} is for whole numbers", loc, hints=[hint])
    if operation is Operator.POW:
        return power_kind(arguments[1], kinds)
    return met


def power_kind(exponent: Scalar, kinds: Sequence[Kind]) -> Kind:
    """A whole number stays whole under a constant exponent that is whole and not negative."""
    constant = isinstance(exponent, Number) and isinstance(exponent.value, int) and exponent.value >= 0
    return kinds[0] if constant and kinds[0] in WHOLE else Dtype.F32


def function_kind(function: ScalarFunction, kinds: Sequence[Kind], loc: Location | None) -> Kind:
    """The kind of a call with arguments of these kinds."""
    match function.domain:
        case Domain.FLOAT | Domain.TO_F32 | Domain.TO_I32 | Domain.TO_U32:
            return RESULTS[function.domain]
        case Domain.NUMERIC | Domain.IDENTITY:
            return common(kinds, loc)
        case Domain.SELECT:
            if kinds[0] is not Dtype.BOOL:
                raise SpecError(
                    "where takes a condition first", loc, hints=["compare it: where(x != 0, chosen, otherwise)"]
                )
            return Dtype.BOOL if kinds[1] is kinds[2] is Dtype.BOOL else common(kinds[1:], loc)
        case Domain.INTEGER:
            met = common(kinds[: len(kinds) - function.counts], loc)
        case Domain.PACKED_I32 | Domain.PACKED_U32:
            met = common((*kinds, Dtype.U32), loc)
        case _:
            assert_never(function.domain)
    if met is Dtype.F32 or Dtype.F32 in kinds:
        raise SpecError(f"{function.name} takes whole numbers, not f32", loc, hints=["convert with i32(x) or u32(x)"])
    return RESULTS.get(function.domain, met)


def kind_of(scalar: Scalar, dtypes: Mapping[str, Dtype]) -> Kind:
    """The kind of an expression whose tensors and parameters have these types; f32 where a name has none yet."""
    match scalar:
        case Number(value):
            return None if isinstance(value, int) else Dtype.F32
        case Index() | Size():
            return None
        case Parameter(name):
            return dtypes[name]
        case Read(tensor):
            return dtypes.get(tensor)
        case Operation(operator, arguments):
            return operation_kind(operator, arguments, [kind_of(a, dtypes) for a in arguments], None)
        case Function(name, arguments):
            return function_kind(FUNCTIONS[name], [kind_of(a, dtypes) for a in arguments], None)
        case _:
            assert_never(scalar)


def reduced_kind(kind: ReductionKind, value: Kind) -> Dtype:
    """The type of a reduction: the mean is a float, a sum of conditions counts them."""
    if kind is ReductionKind.MEAN:
        return Dtype.F32
    return Dtype.I32 if value in (None, Dtype.BOOL) else value


def target_dtypes(stage: Stage, dtypes: Mapping[str, Dtype]) -> dict[str, Dtype]:
    """The type of each target of a stage, given those of what it reads."""
    names = [t.name for t in stage.targets]
    match stage.how:
        case None:
            return {names[0]: kind_of(stage.values[0], dtypes) or Dtype.I32}
        case Reduction(kind):
            return {names[0]: reduced_kind(kind, kind_of(stage.values[0], dtypes))}
        case Scan(_, _, starts):
            return carried_dtypes(names, stage.values, starts, dtypes)
        case _:
            assert_never(stage.how)


def carried_dtypes(
    names: Sequence[str], values: Sequence[Scalar], starts: Sequence[Scalar] | None, dtypes: Mapping[str, Dtype]
) -> dict[str, Dtype]:
    """Types of carried values: as if what is carried were an untyped zero, until nothing changes."""
    known = {n: d for n, d in dtypes.items() if n not in names}
    begun: list[Kind] = [kind_of(s, known) for s in starts] if starts else [None] * len(names)
    for _ in range(len(names) + 1):
        kinds = [common((b, kind_of(v, known))) for b, v in zip(begun, values)]
        known |= {n: k for n, k in zip(names, kinds) if k is not None}
    return {n: known.get(n) or Dtype.I32 for n in names}


def stage_dtypes(spec: OpSpec) -> dict[str, Dtype]:
    """The type of every input, parameter and stage by name."""
    found = {i.name: i.dtype for i in spec.inputs}
    for stage in spec.stages:
        found |= target_dtypes(stage, found)
    return found


def differentiable(spec: OpSpec) -> list[str]:
    """The inputs that can have a gradient: the tensors of floats."""
    return [i.name for i in spec.inputs if isinstance(i, TensorInput) and i.dtype is Dtype.F32]
