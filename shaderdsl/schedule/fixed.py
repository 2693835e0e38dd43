"""A writer for kernels whose sizes are numbers: nothing travels in the uniform but what the caller passes.

space = FixedSpace.of(group);  writer = FixedWriter(space, trace, lanes=4)

Guards are left out where index arithmetic shows that a position lies inside, and positions are u32 from the start where that is exact.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shaderdsl.errors import InternalError
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import AddressSpace, Const, Expr, Input, ReadInput, Variable
from shaderdsl.ir.kernel import Buffer, Domain, DomainKind, Kernel, Role
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import U32, RuntimeArray, Scalar, Type, Vector
from shaderdsl.lang.domain import read_component
from shaderdsl.schedule.group import Group
from shaderdsl.schedule.sizes import Fixed, Quantity, Tensor
from shaderdsl.schedule.step import STORED
from shaderdsl.schedule.writer import AT, Writer, uniform
from shaderdsl.spec import notation
from shaderdsl.spec.affine import Sum, span, sum_of
from shaderdsl.spec.notation import Dtype, Function, Index, Number, Operation, Operator, OpSpec

LANES = 4


@dataclass(frozen=True, slots=True)
class FixedSpace:
    """The indices of a group with their extents, and the tensors that it reads and makes."""

    spec: OpSpec
    extents: Mapping[str, int]
    tensors: Mapping[str, Tensor]
    dtypes: Mapping[str, Dtype]
    number: int = 0
    lead: int = 0

    @classmethod
    def of(cls, group: Group) -> FixedSpace:
        tensors = {n: Tensor(n, group.dtypes[n], tuple(map(Fixed, shape))) for n, shape in group.shapes.items()}
        return cls(group.spec, group.domain, tensors, group.dtypes)

    def root(self, quantity: Quantity) -> Quantity:
        return quantity

    def index_along(self, root: Quantity) -> str | None:
        del root
        return None

    def extent(self, index: str) -> Quantity:
        return Fixed(self.extents[index])

    def size_named(self, name: str) -> Quantity:
        raise InternalError(f"size({name}) in a concrete spec")

    def leads(self) -> list[Quantity]:
        return []


@dataclass(slots=True, eq=False)
class FixedWriter(Writer):
    """quads: tensors that are bound as vec4. lane: the index along which a value is four neighbours at a time, where it is."""

    quads: frozenset[str] = frozenset()
    lane: str | None = None
    quad: Expr | None = None
    """The place along `lane` in units of four."""
    shared: list[Variable] = field(default_factory=list[Variable])

    def size(self, quantity: Quantity) -> Expr:
        return Const(number_of(quantity), U32, None)

    def name(self, quantity: Quantity) -> str:
        return str(number_of(quantity))

    def surely_inside(self, index: notation.Scalar, size: Quantity) -> bool:
        found = span(index, self.space.extents) if isinstance(self.space, FixedSpace) else None
        return found is not None and found[0] >= 0 and found[1] < number_of(size)

    def exact_place(self, index: notation.Scalar) -> Expr | None:
        if not isinstance(self.space, FixedSpace):
            return None
        form = sum_of(index, self.space.extents)
        if form is None or any(not isinstance(a, Index) and not self.unsigned(a) for a in form.terms):
            return None
        return self.place_of(form)

    def unsigned(self, atom: notation.Scalar) -> bool:
        """Whether a quotient, remainder or bound is of what is never below zero, and so the same in u32."""
        match atom:
            case Operation(Operator.FLOOR_DIV | Operator.MOD, (inner, Number())):
                return self.is_place(inner)
            case Function("min" | "max", (left, right)):
                return self.is_place(left) and self.is_place(right)
            case _:
                return False

    def is_place(self, index: notation.Scalar) -> bool:
        """Whether an index is never below zero, and exact as u32."""
        found = span(index, self.space.extents) if isinstance(self.space, FixedSpace) else None
        form = sum_of(index, self.space.extents) if isinstance(self.space, FixedSpace) else None
        if found is None or found[0] < 0 or form is None:
            return False
        return all(isinstance(a, Index) or self.unsigned(a) for a in form.terms)

    def inner_place(self, index: notation.Scalar) -> Expr:
        place = self.exact_place(index)
        if place is None:
            raise InternalError(f"{index} is no place")
        return place

    def place_of(self, form: Sum) -> Expr:
        """A sum as u32, which wraps: a negative one is very large."""
        found: Expr | None = None
        ordered = sorted(form.terms.items(), key=lambda t: t[1] < 0)
        for atom, factor in ordered:
            place = self.atom_place(atom)
            term = place if abs(factor) == 1 else AT.binary(BinaryOp.MUL, place, Const(abs(factor), U32, None))
            if found is None:
                found = term if factor > 0 else AT.binary(BinaryOp.SUB, Const(0, U32, None), term)
            else:
                found = AT.binary(BinaryOp.ADD if factor > 0 else BinaryOp.SUB, found, term)
        if found is None:
            return Const(form.constant % 2**32, U32, None)
        if form.constant:
            operator = BinaryOp.ADD if form.constant > 0 else BinaryOp.SUB
            found = AT.binary(operator, found, Const(abs(form.constant), U32, None))
        return found

    def atom_place(self, atom: notation.Scalar) -> Expr:
        match atom:
            case Index(name):
                return self.places[name]
            case Operation(operator, (inner, Number(int() as value))):
                operation = BinaryOp.DIV if operator is Operator.FLOOR_DIV else BinaryOp.REM
                return AT.binary(operation, self.inner_place(inner), Const(value, U32, None))
            case Function("min" | "max" as name, (left, right)):
                builtin = Builtin.MIN if name == "min" else Builtin.MAX
                return AT.call(builtin, self.inner_place(left), self.inner_place(right))
            case _:
                raise InternalError(f"{atom} is no place")

    def buffer(self, tensor: Tensor) -> Variable:
        if tensor.name not in self.buffers:
            stored = STORED[tensor.dtype]
            element: Type = Vector(LANES, stored) if tensor.name in self.quads else stored
            self.buffers[tensor.name] = Variable(tensor.name, RuntimeArray(element), AddressSpace.STORAGE, None)
        return self.buffers[tensor.name]

    def unflattened(self, place: Expr, names: Sequence[str]) -> None:
        """The places of indices from the number of a point, the last index fastest."""
        extents = [number_of(self.space.extent(n)) for n in names]
        rest = place
        for position in range(len(names) - 1, -1, -1):
            name, extent = names[position], extents[position]
            if extent == 1:
                self.places[name] = Const(0, U32, None)
            elif all(e == 1 for e in extents[:position]):
                self.places[name] = rest
            else:
                size = Const(extent, U32, None)
                self.places[name] = self.trace.let(AT.binary(BinaryOp.REM, rest, size), None, name=name)
                rest = AT.binary(BinaryOp.DIV, rest, size)

    def finished(
        self, name: str, workgroup: int, reads: Sequence[str], writes: Sequence[str], *, each: int | None
    ) -> Kernel:
        """The kernel, once its body is complete. each: its number of points, one an invocation; else one workgroup a point."""
        order = [n for n in reads if n in self.buffers] + list(writes)
        buffers = tuple(
            Buffer(
                self.buffers[n],
                element_type(self.buffers[n]),
                (math.prod(map(number_of, self.space.tensors[n].axes)) // (LANES if n in self.quads else 1),),
                Role.OUT if n in writes else Role.IN,
                0,
                number,
                n in writes,
            )
            for number, n in enumerate(order)
        )
        domain = Domain(DomainKind.FREE) if each is None else Domain(DomainKind.EACH, (Const(each, U32, None),))
        body = self.trace.pop(self.trace.scope)
        return Kernel(
            name=name,
            entry_point=name,
            workgroup_size=(workgroup, 1, 1),
            buffers=buffers,
            uniform=uniform(self.trace, len(buffers)),
            shared=(*self.trace.shared, *self.shared),
            functions=tuple(self.trace.functions.values()),
            body=body,
            domain=domain,
            directives=(),
            loc=None,
        )


def number_of(quantity: Quantity) -> int:
    if not isinstance(quantity, Fixed):
        raise InternalError(f"{quantity} is no number")
    return quantity.value


def element_type(variable: Variable) -> Type:
    if not isinstance(variable.type, RuntimeArray):
        raise InternalError(f"{variable.name} is no array")
    return variable.type.element


def workgroup_number() -> Expr:
    """The number of this workgroup in a grid that is folded over x and y."""
    row = AT.binary(
        BinaryOp.MUL, read_component(Input.WORKGROUP_ID, 1, None), read_component(Input.NUM_WORKGROUPS, 0, None)
    )
    return AT.binary(BinaryOp.ADD, read_component(Input.WORKGROUP_ID, 0, None), row)


def lane_number() -> Expr:
    """The number of this invocation in its workgroup."""
    return ReadInput(Input.LOCAL_INVOCATION_INDEX, U32, None)


def scalar_type(type: Type) -> Scalar:
    if isinstance(type, Scalar):
        return type
    if isinstance(type, Vector):
        return type.scalar
    raise InternalError(f"{type} is no scalar")
