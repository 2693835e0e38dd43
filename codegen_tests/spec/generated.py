"""Random specs with arguments that fit: maps, reductions and scans over leading axes, shifted reads, gathers and masks.

@given(cases())
def test_law(case): ...
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from shaderdsl.spec.axes import walk
from shaderdsl.spec.dtypes import target_dtypes
from shaderdsl.spec.notation import (
    Bound,
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
    ScalarInput,
    Scan,
    Size,
    Stage,
    Target,
    TensorInput,
)

INPUTS = (
    TensorInput("x", ("i", "j"), Dtype.F32),
    TensorInput("v", ("j",), Dtype.F32),
    TensorInput("u", ("j",), Dtype.F32, True),
    TensorInput("ids", ("i",), Dtype.I32),
    TensorInput("bits", (None,), Dtype.U32),
    ScalarInput("a", Dtype.F32),
    ScalarInput("n", Dtype.I32),
)
FLOATS = (0.5, -1.25, 3.0, 1e-3)
TWO = (Operator.ADD, Operator.SUB, Operator.MUL)
COMPARED = (Operator.LT, Operator.LE, Operator.EQ, Operator.NE, Operator.GT, Operator.GE)


@dataclass(frozen=True)
class Case:
    spec: OpSpec
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Room:
    """What an expression may use: indices (those with a written extent may stand anywhere), stages, leading axes."""

    draw: Any
    indices: tuple[str, ...]
    free: frozenset[str]
    stages: tuple[Stage, ...]
    dtypes: dict[str, Dtype]
    leading: bool

    def pick(self, options: Any) -> Any:
        return self.draw(st.sampled_from(options))


def whole(room: Room, depth: int) -> Scalar:
    """A whole number."""
    kind = room.pick(range(8 if depth else 4))
    if kind == 0 or (kind == 1 and not room.indices):
        return Number(room.pick((-2, 0, 1, 2, 7)))
    if kind == 1:
        return Operation(Operator.ADD, (Index(room.pick(room.indices)), Number(room.pick((-1, 0, 1)))))
    if kind == 2:
        return room.pick((Parameter("n"), Size("i"), Size("j")))
    if kind == 3:
        free = [i for i in room.indices if i in room.free]
        return Index(room.pick(free)) if free else Number(1)
    if kind == 4:
        return Read("ids", (whole(room, 0),), Number(0))
    if kind == 5:
        return Operation(
            room.pick((Operator.FLOOR_DIV, Operator.MOD)), (whole(room, depth - 1), Number(room.pick((2, 3))))
        )
    if kind == 6:
        return Function(room.pick(("max", "min")), (whole(room, depth - 1), whole(room, depth - 1)))
    return Operation(room.pick(TWO), (whole(room, depth - 1), whole(room, depth - 1)))


def condition(room: Room, depth: int) -> Scalar:
    kind = room.pick(range(3 if depth else 1))
    if kind == 0:
        return Operation(room.pick(COMPARED), (whole(room, depth), whole(room, depth)))
    if kind == 1:
        return Operation(Operator.NOT, (condition(room, depth - 1),))
    return Operation(room.pick((Operator.AND, Operator.OR)), (condition(room, depth - 1), condition(room, depth - 1)))


def element(room: Room, depth: int) -> Scalar:
    """A read of some float tensor; what gathers has a fill."""
    tensors: list[tuple[str, int, bool]] = [("x", 2, False), ("v", 1, False)]
    tensors += [("u", 1, True)] if room.leading else []
    for stage in room.stages:
        target = stage.targets[0]
        if room.dtypes[target.name] is Dtype.F32 and (room.leading or not target.leading):
            tensors.append((target.name, len(target.bounds), target.leading))
    name, count, leading = room.pick(tensors)
    indices = tuple(shifted(whole(room, depth)) for _ in range(count))
    gathers = any(isinstance(p, Read) for i in indices for p in walk(i))
    fill = Number(room.pick(FLOATS)) if count and (gathers or room.pick((True, False))) else None
    return Read(name, indices, fill, leading)


def shifted(index: Scalar) -> Scalar:
    """An index that stands alone where its axis may not agree takes a shift of zero."""
    return Operation(Operator.ADD, (index, Number(0))) if isinstance(index, Index) else index


def real(room: Room, depth: int) -> Scalar:
    kind = room.pick(range(9 if depth else 3))
    if kind == 0:
        return room.pick((Number(room.pick(FLOATS)), Parameter("a")))
    if kind in (1, 2):
        return element(room, max(depth - 1, 0))
    if kind == 3:
        return Operation(Operator.NEG, (real(room, depth - 1),))
    if kind == 4:
        return Function(room.pick(("tanh", "sigmoid", "abs")), (real(room, depth - 1),))
    if kind == 5:
        return Function("where", (condition(room, depth - 1), real(room, depth - 1), real(room, depth - 1)))
    if kind == 6:
        return Function(room.pick(("max", "min")), (real(room, depth - 1), real(room, depth - 1)))
    if kind == 7:
        return Operation(Operator.POW, (Function("tanh", (real(room, depth - 1),)), Number(room.pick((0, 2, 3)))))
    return Operation(room.pick(TWO), (real(room, depth - 1), room.pick((real, whole))(room, depth - 1)))


def unsigned(room: Room, depth: int) -> Scalar:
    if depth == 0 or room.pick((True, False)):
        return Read("bits", (whole(room, 0),), Number(5))
    other = room.pick((Number(2654435761), unsigned(room, depth - 1)))
    if room.pick((True, False)):
        return Function(room.pick(("bit_xor", "bit_and")), (unsigned(room, depth - 1), other))
    return Operation(room.pick((Operator.ADD, Operator.MUL)), (unsigned(room, depth - 1), other))


def anchored(room: Room, value: Scalar, leading: bool) -> Scalar:
    """The value plus reads where every index without a written extent stands alone."""
    anchors: list[Scalar] = [
        Read("ids", (Index("i"),)) if n == "i" else Read("v", (Index("j"),)) for n in room.indices if n not in room.free
    ]
    if leading:
        anchors.append(Read("u", (Number(0),), None, True))
    for anchor in anchors:
        value = Operation(Operator.ADD, (value, anchor))
    return value


@st.composite
def stages(draw: Any, number: int, before: tuple[Stage, ...], dtypes: dict[str, Dtype]) -> Stage:
    name = f"s{number}"

    def pick(options: Any) -> Any:
        return draw(st.sampled_from(options))

    left = pick(((), ("i",), ("j",), ("i", "j"), ("k",), ("j", "k")))
    over = pick(tuple(o for o in (("i",), ("j",), ("l",), ("i", "l")) if not set(o) & set(left)))
    how = pick(("map", "map", "reduction", "scan", "unsigned"))
    if how == "scan" and not left:
        how = "map"
    extents: dict[str, Scalar | None] = {"k": Number(pick((1, 3))), "l": Number(2), "i": None, "j": None}
    if pick((True, False, False)):
        extents["j"] = Operation(Operator.ADD, (Size("j"), Number(pick((-1, 0, 1)))))
    free = frozenset(n for n, e in extents.items() if e is not None)
    leading = how != "unsigned" and pick((True, False))
    indices = (*left, *(over if how == "reduction" else ()))
    room = Room(draw, indices, free, before, dtypes, leading)
    target = Target(name, tuple(Bound(n, extents[n]) for n in left), leading)
    if how == "unsigned":
        bits = Room(draw, tuple(n for n in indices if n in free), free, before, dtypes, False)
        targets = (Target(name, tuple(b for b in target.bounds if b.name in free)),)
        return Stage(targets, None, (unsigned(bits, 2),))
    if how == "map":
        return Stage((target,), None, (anchored(room, real(room, 3), leading),))
    if how == "reduction":
        kinds = [
            k
            for k in ReductionKind
            if not (
                k in (ReductionKind.MAX, ReductionKind.MIN, ReductionKind.MEAN)
                and "j" in over
                and extents["j"] is not None
            )
        ]
        product = Operation(Operator.MUL, (Read("x", (Index("i"), Index("j"))), Read("v", (Index("j"),))))
        plain = {"i", "j"} == set(indices) and "j" not in free and not leading and pick((True, False))
        value = product if plain else anchored(room, real(room, 2), leading)
        return Stage((target,), Reduction(pick(kinds), tuple(Bound(n, extents[n]) for n in over)), (value,))
    along, backwards = pick(left), pick((True, False))
    step = Operation(Operator.ADD if backwards else Operator.SUB, (Index(along), Number(1)))
    itself = Read(name, tuple(step if n == along else Index(n) for n in left), None, leading)
    outside = Room(draw, (), free, before, dtypes, False)
    starts = (real(outside, 1),) if pick((True, False)) else None
    decay = Operation(Operator.MUL, (itself, Function("tanh", (real(room, 1),))))
    value = anchored(room, Operation(Operator.ADD, (decay, real(room, 1))), leading)
    return Stage((target,), Scan(along, backwards, starts), (value,))


@st.composite
def cases(draw: Any) -> Case:
    found: tuple[Stage, ...] = ()
    dtypes = {i.name: i.dtype for i in INPUTS}
    for number in range(draw(st.integers(1, 3))):
        stage = draw(stages(number, found, dtypes))
        dtypes |= target_dtypes(stage, dtypes)
        found = (*found, stage)
    names = [s.targets[0].name for s in found]
    outputs = tuple(draw(st.sampled_from([names[-1:], names])))
    saved = tuple(draw(st.sampled_from([(), tuple(names[:1])])))
    spec = OpSpec("generated", INPUTS, found, outputs, saved)
    i, j, seed = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(0, 99))
    lead = draw(st.sampled_from([(), (2,), (1,), (2, 1)]))
    random = np.random.default_rng(seed)
    arguments: dict[str, Any] = {
        "x": random.normal(size=(i, j)),
        "v": random.normal(size=j),
        "u": random.normal(size=(*lead, j)),
        "ids": random.integers(-1, 4, size=i),
        "bits": random.integers(0, 2**32, size=3),
        "a": 0.75,
        "n": int(random.integers(-2, 3)),
    }
    return Case(spec, arguments)
