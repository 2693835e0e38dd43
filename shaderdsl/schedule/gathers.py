"""Gathers: reads at indices that are themselves read. Each must lie inside its axis, unless the formula writes a fill.

gathers_of(spec, 0)                 # those of the first stage, inner ones first
check_on_host(space, gather, sizes, arrays)     # a LaunchError names the first position that does not
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shaderdsl.errors import InternalError
from shaderdsl.ir import build
from shaderdsl.ir.expr import AddressSpace, Const, Expr, Variable
from shaderdsl.ir.kernel import Role
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.stmt import AtomicCall, AtomicOp
from shaderdsl.ir.types import U32, Atomic, RuntimeArray
from shaderdsl.lang.trace import Trace, tracing
from shaderdsl.schedule.sizes import Space, Tensor
from shaderdsl.schedule.step import FAULT, WIDTH, Gather, Step
from shaderdsl.schedule.values import position
from shaderdsl.schedule.writer import AT, Writer, identifier, whole
from shaderdsl.spec.axes import indices_of, walk
from shaderdsl.spec.grid import Frame, blocks, is_gather, value_of
from shaderdsl.spec.notation import Dtype, Function, Index, Number, Operation, OpSpec, Read, Scalar, Scan, Stage
from shaderdsl.spec.shapes import Sizes


def gathers_of(spec: OpSpec, number: int) -> tuple[Gather, ...]:
    """The gathers of a stage without a fill, inner ones first, each once."""
    stage = spec.stages[number]
    starts = (stage.how.starts or ()) if isinstance(stage.how, Scan) else ()
    found: dict[Gather, None] = {}
    for value in (*starts, *stage.values):
        outside_scan = settled(value, stage)
        for part in reversed(list(walk(outside_scan))):
            if isinstance(part, Read) and part.fill is None and any(map(is_gather, part.indices)):
                found[gather(number, stage, part)] = None
    return tuple(found)


def gather(number: int, stage: Stage, read: Read) -> Gather:
    parts = [p for i in read.indices for p in walk(i)]
    used = {p.name for p in parts if isinstance(p, Index)}
    inner = [p for p in parts if isinstance(p, Read)]
    return Gather(
        number,
        read,
        tuple(n for n in indices_of(stage) if n in used),
        any(p.leading for p in inner),
        tuple(dict.fromkeys(p.tensor for p in inner)),
    )


def settled(scalar: Scalar, stage: Stage) -> Scalar:
    """An expression of a scan as one over its finished results: what it carried into a step is one step back, or the start."""
    own = [t.name for t in stage.targets]
    match scalar:
        case Read(tensor, indices, fill, leading):
            inner = tuple(settled(i, stage) for i in indices)
            if tensor in own and isinstance(stage.how, Scan):
                starts = stage.how.starts
                fill = starts[own.index(tensor)] if starts is not None else Number(0)
            elif fill is not None:
                fill = settled(fill, stage)
            return Read(tensor, inner, fill, leading)
        case Operation(operator, arguments):
            return Operation(operator, tuple(settled(a, stage) for a in arguments))
        case Function(_, arguments):
            return replace(scalar, arguments=tuple(settled(a, stage) for a in arguments))
        case _:
            return scalar


def check_step(space: Space, checked: Gather, number: int) -> Step:
    """A kernel that notes the first point, in row-major order, whose index lies outside."""
    name = identifier(space.spec.name, space.stage.targets[0].name, "indices", str(number))
    fault = Tensor(FAULT, Dtype.U32, ())
    trace = Trace(name, None, (WIDTH, 1, 1))
    with tracing(trace):
        writer = Writer(space, trace)
        writer.buffers[FAULT] = Variable(FAULT, RuntimeArray(Atomic(U32)), AddressSpace.STORAGE, None)
        points = writer.open(space.leads() if checked.leading else [], [(n, space.extent(n)) for n in checked.indices])
        with writer.when(AT.unary(UnaryOp.NOT, inside(writer, checked.read))):
            place = build.element_of(whole(writer.buffers[FAULT]), Const(0, U32, None), None)
            point = writer.flat([*writer.leads, *(writer.places[n] for n in checked.indices)], points)
            writer.trace.emit(AtomicCall(None, AtomicOp.MIN, place, (point,), None))
        kernel = writer.finish(name, points, [fault], {FAULT: Role.INOUT})
    reads = tuple(n for n in writer.buffers if n != FAULT)
    sizes = {n: q for q, n in writer.names.items()}
    return Step(space.number, kernel, reads, (), sizes, points, check=checked)


def inside(writer: Writer, read: Read) -> Expr:
    """Whether every gathered index lies in its axis."""
    tensor = writer.space.tensors[read.tensor]
    found: Expr | None = None
    for index, size in zip(read.indices, tensor.axes[len(tensor.axes) - len(read.indices) :]):
        within = position(writer, index, size)[1] if is_gather(index) else None
        if within is not None:
            found = within if found is None else AT.binary(BinaryOp.LOGICAL_AND, found, within)
    if found is None:
        raise InternalError(f"no index of {read.tensor} needs a check")
    return found


def check_on_host(
    spec: OpSpec,
    dtypes: Mapping[str, Dtype],
    checked: Gather,
    sizes: Sizes,
    values: Mapping[str, Any],
) -> None:
    """A LaunchError that names the first position whose index lies outside. values: scalars, and arrays that the indices read."""
    stage = sizes.stages[checked.stage]
    leads = [n if checked.leading else min(n, 1) for n in stage.leading]
    shape = (*leads, *(n if i in checked.indices else min(n, 1) for i, n in stage.extents.items()))
    known = {n: widened(np.asarray(v), dtypes[n]) for n, v in values.items()}
    for name, size in sizes.shapes.items():  # of what is not read at all, the shape alone matters
        known.setdefault(name, np.broadcast_to(widened(np.zeros(()), dtypes[name]), size))
    for ranges in blocks(shape):
        value_of(checked.read, Frame(spec, checked.stage, stage, known, dtypes, tuple(stage.extents), ranges, {}))


def widened(array: NDArray[Any], dtype: Dtype) -> NDArray[Any]:
    """As the reference holds arrays."""
    return array.astype({Dtype.F32: np.float64, Dtype.BOOL: np.bool_}.get(dtype, np.int64))
