"""Rows: every element of a domain computed where it stands, and reductions over the last indices of it, a row at a time.

    launch = rows(group)        # softmax: one read and one write of each element, the row in registers between

A row belongs to one invocation where it is short, else to a workgroup; an invocation takes four neighbours at a time where memory allows. A domain
that nothing is reduced over is one row an element.
"""

from __future__ import annotations

from collections.abc import Iterator

from shaderdsl.lang.trace import Trace, tracing
from shaderdsl.schedule.fixed import LANES, FixedSpace, FixedWriter
from shaderdsl.schedule.group import Group, Launch
from shaderdsl.schedule.lanes import quadable
from shaderdsl.schedule.partials import Partials, chunking
from shaderdsl.schedule.row_body import Rows
from shaderdsl.schedule.row_shape import Shape, shape_of
from shaderdsl.spec.axes import reads_of
from shaderdsl.spec.notation import Dtype, Reduction, ReductionKind
from shaderdsl.spec.notation import Read as ReadOf


def rows(group: Group) -> Launch:
    """The kernel of a group."""
    lane = lane_of(group)
    quads = quads_of(group, lane)
    lanes = LANES if lane is not None and quads else 1
    shape = shape_of(group, lanes)
    trace = Trace(group.name, None, (shape.workgroup, 1, 1))
    with tracing(trace):
        writer = FixedWriter(FixedSpace.of(group), trace, quads=quads if shape.lanes > 1 else frozenset())
        kind = Partials if group.partials else Rows
        body = kind(group, writer, shape, lane if shape.lanes > 1 else None)
        body.write()
        reads = [i.name for i in group.spec.inputs if i.name in writer.buffers]
        each = shape.rows if shape.threads == 1 else None
        writes = tuple(group.partials.get(n, n) for n in group.spec.outputs)
        kernel = writer.finished(group.name, shape.workgroup, reads, writes, each=each)
    units = chunking(group)[0] if group.partials else shape.rows
    groups = -(-units // shape.workgroup) if shape.threads == 1 else units
    return Launch(kernel, tuple(reads), writes, groups, tuple(reordered(group, shape)))


def reordered(group: Group, shape: Shape) -> Iterator[str]:
    """The sums of floats whose terms are added in another order than a loop over them would."""
    across = bool(group.domain) and list(group.domain)[-1] in (group.swept or ())
    side = shape.threads * (shape.lanes if across else 1)
    for stage in group.spec.stages:
        name = stage.targets[0].name
        if not isinstance(stage.how, Reduction) or stage.how.kind in (ReductionKind.MAX, ReductionKind.MIN):
            continue
        if group.dtypes[name] is not Dtype.F32:
            continue
        if name in group.partials:
            yield f"{name} is summed over {chunking(group)[1]} rows at a time, then over those sums: another order than written"
        elif side > 1:
            yield f"{name} is summed in {side} parts side by side, then over them: another order than written"


def lane_of(group: Group) -> str | None:
    """The last index of the domain, if it comes in fours."""
    names = list(group.domain)
    return names[-1] if names and group.domain[names[-1]] % LANES == 0 else None


def last_index(group: Group, name: str) -> str | None:
    """The index along which neighbours of a tensor lie that a group makes."""
    stage = group.spec.stage_of(name)
    bounds = stage.targets[0].bounds if stage is not None else ()
    return bounds[-1].name if bounds else None


def quads_of(group: Group, lane: str | None) -> frozenset[str]:
    """The tensors in memory that are read and written as vec4 throughout."""
    if lane is None:
        return frozenset()
    space = FixedSpace.of(group)
    writer = FixedWriter(space, Trace("", None, None))
    reads: dict[str, list[ReadOf]] = {}
    for stage in group.spec.stages:
        for read in reads_of(stage):
            reads.setdefault(read.tensor, []).append(read)

    def inside(read: ReadOf) -> bool:
        sizes = space.tensors[read.tensor].axes
        return all(writer.surely_inside(i, s) for i, s in zip(read.indices, sizes))

    outputs = {group.partials.get(n, n) for n in group.spec.outputs if last_index(group, n) == lane}
    inputs = {i.name for i in group.spec.inputs if i.name in reads}
    return frozenset(n for n in inputs if quadable(group.shapes[n], reads[n], lane, group.domain, inside)) | outputs
