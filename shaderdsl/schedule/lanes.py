"""Expressions four neighbours at a time: loads and stores of vec4, arithmetic on vectors, and what has no vector form once for each lane.

laned(writer, scalar)       # a vec4 if it differs along the writer's lane index, else a scalar
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from shaderdsl.errors import InternalError
from shaderdsl.ir import build
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Const, Expr
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import BOOL, I32, U32, Scalar, Vector
from shaderdsl.schedule.fixed import LANES, FixedSpace, FixedWriter, number_of
from shaderdsl.schedule.functions import SPECIAL, emit_function
from shaderdsl.schedule.step import TYPES
from shaderdsl.schedule.values import BINARY, MOST_FACTORS, Typed, expr_as, once, power, value_of
from shaderdsl.schedule.writer import AT
from shaderdsl.spec import notation
from shaderdsl.spec.affine import Sum, sum_of
from shaderdsl.spec.axes import walk
from shaderdsl.spec.dtypes import Kind, common, function_kind, operation_kind
from shaderdsl.spec.functions import FUNCTIONS, Domain
from shaderdsl.spec.notation import Dtype, Function, Index, Operation, Operator, Read
from shaderdsl.spec.print import format_scalar

MIXING = (Operator.ADD, Operator.SUB, Operator.MUL, Operator.DIV)
"""Operators that take a vector beside a scalar."""


PART = "part of a lane"


def is_vector(expr: Expr) -> bool:
    return isinstance(expr.type, Vector)


def varies(writer: FixedWriter, scalar: notation.Scalar) -> bool:
    """Whether an expression may differ between the lanes."""
    for part in walk(scalar):
        if isinstance(part, Index) and part.name == writer.lane:
            return True
        if isinstance(part, Read) and part.tensor in writer.held and is_vector(writer.held[part.tensor][0]):
            return True
    return False


def laned(writer: FixedWriter, scalar: notation.Scalar) -> Typed:
    """The value of an expression: a vec4 where it varies along the lanes."""
    if writer.lane is None or not varies(writer, scalar):
        return value_of(writer, scalar)
    match scalar:
        case Index():
            return Typed(lane_numbers(writer), None)
        case Read(tensor) if tensor in writer.held:
            return Typed(*writer.held[tensor])
        case Read():
            return once(writer, scalar, lambda _, s: read(writer, s))
        case Operation():
            return once(writer, scalar, lambda _, s: operation(writer, s))
        case Function():
            return once(writer, scalar, lambda _, s: function(writer, s))
        case _:
            raise InternalError(f"{scalar} does not vary")


def lane_numbers(writer: FixedWriter) -> Expr:
    """The index of each lane, as vec4 of i32."""
    lane = named_lane(writer)
    key = f"lanes of {lane}"
    if key not in writer.known:
        first = AT.convert(writer.places[lane], I32)
        steps = build.construct(Vector(LANES, I32), [Const(n, I32, None) for n in range(LANES)], None)
        writer.known[key] = AT.binary(BinaryOp.ADD, first, steps), None
    return writer.known[key][0]


def named_lane(writer: FixedWriter) -> str:
    if writer.lane is None:
        raise InternalError("no index is laned")
    return writer.lane


def read(writer: FixedWriter, scalar: Read) -> Typed:
    """Four elements: one load of a vec4, or one load for each lane."""
    tensor = writer.space.tensors[scalar.tensor]
    if scalar.tensor not in writer.quads:
        return each_lane(writer, lambda: value_of(writer, scalar), tensor.dtype)
    loaded = writer.load(writer.buffer(tensor), quad_place(writer, scalar))
    return Typed(vector_condition(loaded) if tensor.dtype is Dtype.BOOL else loaded, tensor.dtype)


def quad_place(writer: FixedWriter, scalar: Read) -> Expr:
    """The offset of a vec4, in units of four elements."""
    tensor = writer.space.tensors[scalar.tensor]
    sizes = [number_of(a) for a in tensor.axes]
    places = [whole_place(writer, i) for i in scalar.indices[:-1]]
    found: Expr | None = None
    for place, size in zip([*places, last_quad(writer, scalar.indices[-1])], [*sizes[:-1], sizes[-1] // LANES]):
        if found is None or found_zero(found):
            found = place
        else:
            found = AT.binary(BinaryOp.ADD, AT.binary(BinaryOp.MUL, found, Const(size, U32, None)), place)
    if found is None:
        raise InternalError(f"{scalar.tensor} has no axes")
    return found


def last_quad(writer: FixedWriter, index: notation.Scalar) -> Expr:
    """The place along the last axis in units of four."""
    if writer.quad is None:
        raise InternalError("no index is laned")
    ahead = quads_ahead(index, named_lane(writer), extents_of(writer))
    if ahead is None:
        raise InternalError(f"{format_scalar(index)} is not aligned")
    if not ahead.terms and not ahead.constant:
        return writer.quad
    return AT.binary(BinaryOp.ADD, writer.place_of(ahead), writer.quad)


def extents_of(writer: FixedWriter) -> Mapping[str, int]:
    return writer.space.extents if isinstance(writer.space, FixedSpace) else {}


def quads_ahead(index: notation.Scalar, lane: str, extents: Mapping[str, int]) -> Sum | None:
    """What stands before the lane in an index, in units of four; None where the lane is not alone or not aligned."""
    form = sum_of(index, extents)
    if form is None or form.terms.get(Index(lane)) != 1 or form.constant % LANES:
        return None
    rest = {a: f for a, f in form.terms.items() if a != Index(lane)}
    if any(f % LANES or uses([a], lane) for a, f in rest.items()):
        return None
    return Sum(form.constant // LANES, {a: f // LANES for a, f in rest.items()})


def found_zero(place: Expr) -> bool:
    return isinstance(place, Const) and place.value == 0


def whole_place(writer: FixedWriter, index: notation.Scalar) -> Expr:
    """The place of an index that is the same for all lanes, and inside."""
    found = writer.places[index.name] if isinstance(index, Index) else writer.exact_place(index)
    if found is None:
        raise InternalError(f"{format_scalar(index)} is no place")
    return found


def quadable(
    tensor_shape: Sequence[int],
    reads: Sequence[Read],
    lane: str,
    extents: Mapping[str, int],
    inside: Callable[[Read], bool],
) -> bool:
    """Whether all reads of a tensor are of four neighbours that lie aligned."""
    if not tensor_shape or tensor_shape[-1] % LANES:
        return False
    return all(
        quads_ahead(r.indices[-1], lane, extents) is not None and inside(r) and not uses(r.indices[:-1], lane)
        for r in reads
    )


def uses(indices: Sequence[notation.Scalar], lane: str) -> bool:
    return any(isinstance(p, Index) and p.name == lane for i in indices for p in walk(i))


def each_lane(writer: FixedWriter, compute: Callable[[], Typed], dtype: Dtype) -> Typed:
    """What is computed for each lane alone, as a vector."""
    lane = named_lane(writer)
    base, known, signed, held = writer.places[lane], writer.known, writer.signed, writer.held
    parts: list[Expr] = []
    for number in range(LANES):
        writer.known = {n: (component(v, number), k) for n, (v, k) in known.items()}
        writer.signed = {n: s for n, s in signed.items() if n != lane}
        writer.places[lane] = AT.binary(BinaryOp.ADD, base, Const(number, U32, None)) if number else base
        writer.held = {n: (component(v, number), k) for n, (v, k) in held.items()}
        writer.lane = None
        parts.append(expr_as(compute(), dtype))
    writer.places[lane], writer.known, writer.signed, writer.held, writer.lane = base, known, signed, held, lane
    return Typed(build.construct(Vector(LANES, TYPES[dtype]), parts, None), dtype)


def component(value: Expr, number: int) -> Expr:
    """One lane of a value, or the value where it is the same for all."""
    return build.swizzle(value, (number,), None) if is_vector(value) else value


def as_kind(typed: Typed, kind: Kind) -> Expr:
    """A value in another kind, vector or not."""
    value = typed.value
    if isinstance(value, bool | int | float) or not is_vector(value):
        return expr_as(typed, kind)
    target = I32 if kind is None else TYPES[kind]
    return AT.convert(value, Vector(LANES, target))


def vector_condition(words: Expr) -> Expr:
    return AT.binary(BinaryOp.NE, words, splat(Const(0, U32, None)))


def splat(value: Expr) -> Expr:
    """A scalar as a vector of four."""
    if is_vector(value):
        return value
    if not isinstance(value.type, Scalar):
        raise InternalError(f"{value.type} is no scalar")
    return build.construct(Vector(LANES, value.type), [value], None)


def operation(writer: FixedWriter, scalar: Operation) -> Typed:
    """An operation on vectors; quotients of whole numbers and powers lane by lane."""
    operator, arguments = scalar.operator, scalar.arguments
    found = [laned(writer, a) for a in arguments]
    kinds = [f.kind for f in found]
    kind = operation_kind(operator, arguments, kinds, None)
    if operator is Operator.POW and by_products(found[1]):
        return Typed(splat(power(as_kind(found[0], kind), found[1], kind)), kind)
    by_lane = operator in (Operator.FLOOR_DIV, Operator.MOD, Operator.POW) or (
        operator is Operator.DIV and kind is None
    )
    if by_lane or (kind is Dtype.U32 and operator is Operator.NEG):
        return split(writer, scalar, found, kind)
    if operator is Operator.NOT:
        return Typed(AT.unary(UnaryOp.NOT, as_kind(found[0], Dtype.BOOL)), kind)
    if operator in (Operator.AND, Operator.OR):
        sides = [splat(as_kind(f, Dtype.BOOL)) for f in found]
        choose = Builtin.SELECT
        if operator is Operator.AND:
            return Typed(AT.call(choose, splat(Const(False, BOOL, None)), sides[1], sides[0]), kind)
        return Typed(AT.call(choose, sides[1], splat(Const(True, BOOL, None)), sides[0]), kind)
    meeting = common(kinds) if kind is Dtype.BOOL else kind
    operands = [as_kind(f, meeting) for f in found]
    if operator is Operator.NEG:
        return Typed(AT.unary(UnaryOp.NEGATE, operands[0]), kind)
    if operator not in MIXING:
        operands = [splat(o) for o in operands]
    return Typed(AT.binary(BINARY[operator], *operands), kind)


def by_products(exponent: Typed) -> bool:
    """Whether a power is products or a root, which vectors have too."""
    value = exponent.value
    if not isinstance(value, int | float):
        return False
    return abs(value) == 0.5 or (float(value).is_integer() and abs(value) <= MOST_FACTORS)


def function(writer: FixedWriter, scalar: Function) -> Typed:
    """A call on vectors where it is one builtin, else one call for each lane."""
    row = FUNCTIONS[scalar.name]
    found = [laned(writer, a) for a in scalar.arguments]
    kind = function_kind(row, [f.kind for f in found], None)
    match row.domain:
        case Domain.SELECT:
            condition = splat(as_kind(found[0], Dtype.BOOL))
            then, otherwise = (splat(as_kind(f, kind)) for f in found[1:])
            return Typed(AT.call(Builtin.SELECT, otherwise, then, condition), kind)
        case Domain.TO_F32 | Domain.TO_I32 | Domain.TO_U32:
            return Typed(as_kind(found[0], kind), kind)
        case Domain.FLOAT | Domain.NUMERIC if row.builtin is not None and row.name not in SPECIAL:
            wanted = Dtype.F32 if row.domain is Domain.FLOAT else kind
            return Typed(emit_function(AT, row, [splat(as_kind(f, wanted)) for f in found]), kind)
        case _:
            return split(writer, scalar, found, kind)


def split(writer: FixedWriter, scalar: Operation | Function, found: Sequence[Typed], kind: Kind) -> Typed:
    """One operation for each lane, on the components of its operands."""
    names = [f"{PART} {n}" for n in range(len(found))]
    outer = writer.held, writer.lane, writer.known
    parts: list[Expr] = []
    for number in range(LANES):
        arguments: list[notation.Scalar] = []
        writer.held = dict(outer[0])
        for name, given, typed in zip(names, scalar.arguments, found):
            if isinstance(typed.value, bool | int | float):
                arguments.append(given)
                continue
            writer.held[name] = component(typed.value, number), typed.kind
            arguments.append(Read(name, ()))
        writer.known, writer.lane = {}, None
        parts.append(as_kind(value_of(writer, replace(scalar, arguments=tuple(arguments))), kind))
    writer.held, writer.lane, writer.known = outer
    target = I32 if kind is None else TYPES[kind]
    return Typed(build.construct(Vector(LANES, target), parts, None), kind)
