"""The frame of a generated program: its structures, helpers, signature, domain and memory, and arrays to run it on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shaderdsl.ir.types import F32, I32, U32, Array, Atomic, Matrix, Member, Scalar, Struct, Type, Vector, scalar_of
from shaderdsl.testing.programs_state import Memory, Space, State
from shaderdsl.testing.programs_terms import SMALL, STORED, Term, spell
from shaderdsl.testing.programs_values import has_array

VECTORS = (Vector(2, F32), Vector(3, F32), Vector(4, F32), Vector(3, I32), Vector(2, U32), Vector(4, I32))
ELEMENTS: tuple[Type, ...] = (F32, F32, I32, U32, *VECTORS, Matrix(2, 2, F32), Matrix(3, 2, F32), Matrix(2, 3, F32))
COMMUTING = ("add", "max", "min", "and_", "or_", "xor")


@dataclass(slots=True)
class Frame:
    """Where the kernel runs. own: the index text of an invocation's element. shape: the axes of its buffers, with their sizes."""

    workgroup_size: tuple[int, ...]
    axes: tuple[tuple[str | int, int], ...]
    own: str
    opening: str
    first: list[str] = field(default_factory=list[str])
    terms: list[Term] = field(default_factory=list[Term])
    groups: tuple[int, int, int] | None = None
    lanes: int = 1


@dataclass(frozen=True, slots=True)
class Parameter:
    """A buffer of the signature."""

    name: str
    role: str
    element: Type
    axes: tuple[tuple[str | int, int], ...]

    @property
    def annotation(self) -> str:
        names = ", ".join(str(name) for name, _ in self.axes)
        inner = f"sd.Atomic[{self.element.scalar}]" if isinstance(self.element, Atomic) else spell(self.element)
        return f'{self.name}: Annotated[sd.{self.role}[{inner}], "{names}"]'

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(size for _, size in self.axes)


def each_frame(state: State) -> Frame:
    """One invocation a point of one or two axes."""
    if state.chance(0.6):
        n = state.pick([1, 5, 33, 64, 70])
        term = Term("i", U32, float(n))
        sizes = state.pick([(64,), (32,), (8, 4), (16,)])
        axes: tuple[tuple[str | int, int], ...] = (("n", n),)
        return Frame(sizes, axes, "i", "with k.each(x.n) as i:", terms=[term, Term("x.n", U32, float(n), uniform=True)])
    rows, columns = state.between(1, 6), state.between(1, 9)
    terms = [
        Term("i", U32, float(rows)),
        Term("j", U32, float(columns)),
        Term("x.cols", U32, float(columns), uniform=True),
    ]
    axes = (("rows", rows), ("cols", columns))
    return Frame((8, 4), axes, "i, j", "with k.each(x.rows, x.cols) as (i, j):", terms=terms)


def group_frame(state: State) -> Frame:
    """One workgroup a row, an invocation for each of its elements."""
    lanes = state.pick([4, 8, 8, 16, 32, 12])
    groups = state.between(1, 3)
    sizes = (lanes // 4, 4) if lanes % 4 == 0 and state.chance(0.3) else (lanes,)
    axes: tuple[tuple[str | int, int], ...] = (("rows", groups), (lanes, lanes))
    row = Term("row", U32, float(groups), uniform=True)
    terms = [row, Term("lane", U32, float(lanes))]
    if state.chance(0.7):
        opening, first, grid = "with k.each_group(x.rows) as row:", ["lane = k.local_index"], None
        terms.append(Term("x.rows", U32, float(groups), uniform=True))
    else:
        opening, first, grid = "", ["row = k.workgroup_id.x", "lane = k.local_index"], (groups, 1, 1)
    return Frame(sizes, axes, "row, lane", opening, first, terms, grid, lanes)


INPUTS = ("k.local_id.x", "k.local_id.y", "k.local_index", "k.global_id.x", "k.workgroup_id.x", "k.num_workgroups.x")


def inputs(state: State) -> list[Term]:
    """Builtin inputs that the body may read."""
    chosen = [name for name in INPUTS if state.chance(0.5)]
    return [Term(name, U32, None, uniform="workgroup" in name) for name in chosen]


def structure(state: State) -> Struct:
    """A structure of some of these members, in any order."""
    everything = [
        Member("f", F32),
        Member("v", Vector(3, F32)),
        Member("n", I32),
        Member("h", Array(U32, 3)),
        Member("m", Matrix(2, 3, F32)),
        Member("ref", Vector(2, I32)),
    ]
    state.random.shuffle(everything)
    return Struct("Pair", tuple(everything[: state.between(2, 4)]))


def struct_lines(struct: Struct) -> list[str]:
    return ["@sd.struct", f"class {struct.name}:", *(f"    {m.name}: {spell(m.type)}" for m in struct.members), "", ""]


def buffers(state: State, frame: Frame) -> list[Parameter]:
    """The buffers: `x` is given, `y` is made, others are of any kind."""
    found = [
        Parameter("x", "In", F32, frame.axes),
        Parameter("y", "Out", state.pick([F32, I32, U32, Vector(4, F32)]), frame.axes),
    ]
    names = ["a", "b", "c"]
    for name in names[: state.between(1, 3)]:
        role = state.pick(["In", "InOut", "InOut", "Out"])
        structs = [s for s in state.structs if role != "Out" or not has_array(s)]
        element = state.pick([*ELEMENTS, *structs, *structs])
        found.append(Parameter(name, role, element, frame.axes))
    if state.chance(0.3):
        found.append(Parameter("cells", "InOut", Atomic(state.pick([I32, U32])), frame.axes))
    if state.chance(0.35):
        found.append(Parameter("bins", "InOut", Atomic(state.pick([I32, U32])), (("m", 3),)))
    return found


def memories(state: State, frame: Frame, parameters: list[Parameter]) -> list[Memory]:
    """The buffers as memory in scope."""
    found: list[Memory] = []
    for p in parameters:
        space = {"In": Space.GIVEN, "InOut": Space.OWN, "Out": Space.MADE}[p.role]
        own = "" if p.name == "bins" else frame.own
        bound = SMALL if space is Space.GIVEN else STORED
        found.append(Memory(p.name, p.element, space, p.shape, own, bound))
        if p.name == "bins":
            state.commuting["bins"] = state.pick(COMMUTING)
        if space is Space.OWN and state.group and not isinstance(p.element, Atomic):
            state.buffers.add(p.name)
    return found


def values(type: Type, shape: tuple[int, ...], seed: np.random.Generator) -> NDArray[Any]:
    """Small numbers: k / 8 for floats."""
    match type:
        case Vector(size, scalar):
            return values(scalar, (*shape, size), seed)
        case Matrix(columns, rows, scalar):
            return values(scalar, (*shape, columns, rows), seed) / np.float32(2)
        case Array(element, count):
            return values(element, (*shape, count), seed)
        case Atomic(scalar):
            return values(scalar, shape, seed)
        case _:
            return numbers(scalar_of(type) or F32, shape, seed)


def numbers(scalar: Scalar, shape: tuple[int, ...], seed: np.random.Generator) -> NDArray[Any]:
    if scalar == F32:
        return (seed.integers(-32, 33, shape) / 8).astype(np.float32)
    if scalar == U32:
        return seed.integers(0, 40, shape).astype(np.uint32)
    return seed.integers(-20, 21, shape).astype(np.int32)
