"""A kernel being written: its trace, the arrays it binds, the sizes it reads, and where its indices stand.

writer = Writer.start(space, "softmax_e")
with writer.loop("j", space.extent("j")):
    ...
writer.finish("softmax_e", points, outputs)
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from shaderdsl.ir import build
from shaderdsl.ir.expr import AddressSpace, Const, Expr, Input, Load, Place, Read, ReadInput, Slot, Variable, Whole
from shaderdsl.ir.kernel import ZERO, Buffer, Domain, DomainKind, Kernel, Role, Uniform
from shaderdsl.ir.layout import uniform_members
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import Block, Declare, If, Range, Return, Stmt, Store
from shaderdsl.ir.types import I32, U32, Member, RuntimeArray, Struct, Type
from shaderdsl.lang.domain import read_component
from shaderdsl.lang.functions.steps import Steps
from shaderdsl.lang.trace import Trace
from shaderdsl.schedule.sizes import AnySpace, AxisSize, Extent, Fixed, Lead, Quantity, Tensor
from shaderdsl.schedule.step import STORED, WIDTH
from shaderdsl.spec.dtypes import Kind
from shaderdsl.spec.notation import Index, Scalar, ScalarInput, TensorInput

AT = Steps(None)


@dataclass(slots=True, eq=False)
class Writer:
    """places: each index as u32. signed: as i32, where it was needed. known: what this block has computed, by its text. carried: a scan's own values.

    held: elements of tensors that this kernel computes itself, at its current point.
    """

    space: AnySpace
    trace: Trace
    names: dict[Quantity, str] = field(default_factory=dict[Quantity, str])
    buffers: dict[str, Variable] = field(default_factory=dict[str, Variable])
    places: dict[str, Expr] = field(default_factory=dict[str, Expr])
    leads: list[Expr] = field(default_factory=list[Expr])
    signed: dict[str, Expr] = field(default_factory=dict[str, Expr])
    known: dict[str, tuple[Expr, Kind]] = field(default_factory=dict[str, tuple[Expr, Kind]])
    carried: dict[str, Variable] = field(default_factory=dict[str, Variable])
    held: dict[str, tuple[Expr, Kind]] = field(default_factory=dict[str, tuple[Expr, Kind]])

    def size(self, quantity: Quantity) -> Expr:
        """A size, from the uniform."""
        return self.trace.use_axis(self.name(quantity), None)

    def name(self, quantity: Quantity) -> str:
        """The uniform's name for a size: the index's, else the axis's with its tensor."""
        quantity = self.space.root(quantity)
        if quantity not in self.names:
            taken = {
                *self.names.values(),
                *(i.name for i in self.space.spec.inputs if isinstance(i, ScalarInput)),
                ZERO,
            }
            self.names[quantity] = unused(self.wanted(quantity), taken)
        return self.names[quantity]

    def wanted(self, quantity: Quantity) -> str:
        along = self.space.index_along(quantity)
        if along is not None:
            return along
        match quantity:
            case Extent(_, index):
                return index
            case Lead(_, position):
                return f"lead_{position}"
            case AxisSize(tensor, position):
                return f"{tensor}_{axis_word(self.space, tensor, position)}"
            case Fixed(value):
                return f"size_{value}"

    def surely_inside(self, index: Scalar, size: Quantity) -> bool:
        """Whether an index needs no guard: it is a stage's own, along that very size."""
        return isinstance(index, Index) and self.space.extent(index.name) == self.space.root(size)

    def exact_place(self, index: Scalar) -> Expr | None:
        """A computed index as u32, where that is known to be exact."""
        del index
        return None

    def buffer(self, tensor: Tensor) -> Variable:
        """The variable of a tensor, bound from now on."""
        if tensor.name not in self.buffers:
            kind = RuntimeArray(STORED[tensor.dtype])
            self.buffers[tensor.name] = Variable(tensor.name, kind, AddressSpace.STORAGE, None)
        return self.buffers[tensor.name]

    def declare(self, name: str, type: Type, initial: Expr) -> Variable:
        variable = Variable(name, type, AddressSpace.FUNCTION, None)
        self.trace.emit(Declare(variable, initial, None))
        return variable

    def value(self, variable: Variable) -> Expr:
        """What a variable holds now."""
        return self.trace.let(Load(whole(variable), variable.type, None), None)

    def assign(self, variable: Variable, value: Expr) -> None:
        self.trace.emit(Store(whole(variable), value, None))

    def store(self, variable: Variable, index: Expr, value: Expr) -> None:
        """Write an element; a condition is stored as a word."""
        place = build.element_of(whole(variable), index, None)
        self.trace.emit(Store(place, AT.convert(value, place.type), None))

    def load(self, variable: Variable, index: Expr) -> Expr:
        place = build.element_of(whole(variable), index, None)
        return self.trace.let(Load(place, place.type, None), None)

    def index(self, name: str) -> Expr:
        """An index as a number, i32."""
        if name not in self.signed:
            place = self.places[name]
            self.signed[name] = (
                Const(int(place.value), I32, None) if isinstance(place, Const) else AT.convert(place, I32)
            )
        return self.signed[name]

    def flat(self, places: Sequence[Expr], sizes: Sequence[Quantity]) -> Expr:
        """The offset of an element, row-major."""
        found: Expr = Const(0, U32, None)
        for number, (place, size) in enumerate(zip(places, sizes)):
            found = AT.binary(BinaryOp.ADD, AT.binary(BinaryOp.MUL, found, self.size(size)), place) if number else place
        return found

    @contextmanager
    def block(self, *, loop: bool = False) -> Generator[list[Stmt]]:
        """Statements of an inner block: the list is filled when it ends. What is read inside is not known outside."""
        signed, known, places = dict(self.signed), dict(self.known), dict(self.places)
        scope = self.trace.push(None, loop=loop)
        filled: list[Stmt] = []
        yield filled
        filled += self.trace.pop(scope)
        self.signed, self.known, self.places = signed, known, places

    @contextmanager
    def loop(self, name: str, size: Quantity) -> Generator[Expr]:
        """A serial loop over an index."""
        slot = Slot(name, U32)
        stop = self.size(size)
        with self.block(loop=True) as body:
            place = Read(slot, U32, None)
            self.places[name] = place
            yield place
        self.trace.emit(Range(slot, Const(0, U32, None), stop, Const(1, U32, None), tuple(body), None))

    @contextmanager
    def when(self, condition: Expr) -> Generator[None]:
        with self.block() as body:
            yield
        self.trace.emit(If(condition, tuple(body), (), None))

    def open(self, leads: Sequence[Quantity], indices: Sequence[tuple[str, Quantity]]) -> tuple[Quantity, ...]:
        """One invocation a point of leading axes and indices, the last one fastest; gives the domain's axes."""
        points = (*leads, *(q for _, q in indices))
        words = [*(f"at_{n}" for n in range(len(leads))), *(n for n, _ in indices)]
        number = invocation()
        word = words[0] if len(words) == 1 else "point"
        rest: Expr = self.trace.let(number, None, name=word)
        past = AT.binary(BinaryOp.GE, rest, self.total(points))
        self.trace.emit(If(past, (Return(None, None),), (), None))
        found: list[Expr] = []
        for axis in range(len(words) - 1, 0, -1):
            size = self.size(points[axis])
            left = words[0] if axis == 1 else "rest"
            found.append(self.trace.let(build.binary(BinaryOp.REM, rest, size, None), None, name=words[axis]))
            rest = self.trace.let(build.binary(BinaryOp.DIV, rest, size, None), None, name=left)
        places = [rest, *reversed(found)] if words else []
        self.leads = places[: len(leads)]
        self.places |= {n: p for (n, _), p in zip(indices, places[len(leads) :])}
        return points

    def total(self, points: Sequence[Quantity]) -> Expr:
        """The number of points, as the host computes it too."""
        found: Expr = Const(1, U32, None)
        for number, size in enumerate(points):
            found = build.binary(BinaryOp.MUL, found, self.size(size), None) if number else self.size(size)
        return found

    def finish(
        self, name: str, points: Sequence[Quantity], written: Sequence[Tensor], roles: dict[str, Role]
    ) -> Kernel:
        """The kernel, once its body is complete: buffers read come first, then those written, then the uniform."""
        order = [n for n in self.buffers if n not in roles] + [t.name for t in written]
        known = {**self.space.tensors, **{t.name: t for t in written}}
        buffers = tuple(
            Buffer(
                self.buffers[n],
                element_of(self.buffers[n]),
                tuple(self.name(q) for q in known[n].axes),
                roles.get(n, Role.IN),
                0,
                number,
                n in roles,
            )
            for number, n in enumerate(order)
        )
        domain = Domain(DomainKind.EACH, (self.total(points),))
        body: Block = self.trace.pop(self.trace.scope)
        return Kernel(
            name=name,
            entry_point=name,
            workgroup_size=(WIDTH, 1, 1),
            buffers=buffers,
            uniform=uniform(self.trace, len(buffers)),
            shared=(),
            functions=tuple(self.trace.functions.values()),
            body=body,
            domain=domain,
            directives=(),
            loc=None,
        )


def invocation() -> Expr:
    """The number of this invocation in the grid, folded over x and y."""
    local = ReadInput(Input.LOCAL_INVOCATION_INDEX, U32, None)
    row = AT.binary(
        BinaryOp.MUL, read_component(Input.WORKGROUP_ID, 1, None), read_component(Input.NUM_WORKGROUPS, 0, None)
    )
    group = AT.binary(BinaryOp.ADD, read_component(Input.WORKGROUP_ID, 0, None), row)
    start = AT.binary(BinaryOp.MUL, group, Const(WIDTH, U32, None))
    return build.binary(BinaryOp.ADD, start, local, None)


def whole(variable: Variable) -> Place:
    return Whole(variable, variable.type)


def element_of(variable: Variable) -> Type:
    return variable.type.element if isinstance(variable.type, RuntimeArray) else variable.type


def uniform(trace: Trace, binding: int) -> Uniform | None:
    """The struct of what the body reads: parameters, sizes and the run-time zero."""
    members = [Member(n, t) for n, t in trace.params.items()] + [Member(a, U32) for a in trace.axes]
    if trace.zero:
        members.append(Member(ZERO, U32))
    if not members:
        return None
    struct = Struct("Params", uniform_members(members))
    variable = Variable("params", struct, AddressSpace.UNIFORM, None)
    return Uniform(variable, struct, tuple(trace.params), tuple(trace.axes), trace.zero, 0, binding)


def axis_word(space: AnySpace, tensor: str, position: int) -> str:
    """A name for an axis: what the formula calls it, else its number from the first."""
    stage = space.spec.stage_of(tensor)
    names: list[str | None] = []
    if stage is not None:
        names = [b.name for t in stage.targets if t.name == tensor for b in t.bounds]
    else:
        names = [a for i in space.spec.inputs if isinstance(i, TensorInput) and i.name == tensor for a in i.axes]
    found = names[position] if -position <= len(names) else None
    return found if found is not None else str(len(space.tensors[tensor].axes) + position)


def unused(wanted: str, taken: set[str]) -> str:
    number, found = 1, wanted
    while found in taken:
        number += 1
        found = f"{wanted}_{number}"
    return found


def identifier(*words: str) -> str:
    """A name for a kernel: `softmax_y`."""
    return re.sub(r"\W+", "_", "_".join(words)).strip("_") or "stage"
