"""One stage as one kernel by the plain schedule, with its sizes in the text: what no other schedule takes.

launch = alone(group)       # scans, gathers of any kind, reductions over any index
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import assert_never

from shaderdsl.ir.expr import Const
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import If, Return
from shaderdsl.ir.types import U32
from shaderdsl.lang.trace import Trace, tracing
from shaderdsl.schedule.bodies import write_map, write_reduction, write_scan
from shaderdsl.schedule.fixed import FixedSpace, FixedWriter, number_of
from shaderdsl.schedule.group import Group, Launch
from shaderdsl.schedule.sizes import Quantity
from shaderdsl.schedule.step import WIDTH
from shaderdsl.schedule.writer import AT, invocation
from shaderdsl.spec.notation import Reduction, Scan


class Alone(FixedWriter):
    """Opens its domain with numbers."""

    def open(self, leads: Sequence[Quantity], indices: Sequence[tuple[str, Quantity]]) -> tuple[Quantity, ...]:
        del leads
        points = tuple(q for _, q in indices)
        names = [n for n, _ in indices]
        number = self.trace.let(invocation(), None, name=names[0] if len(names) == 1 else "point")
        past = AT.binary(BinaryOp.GE, number, Const(math.prod(map(number_of, points)), U32, None))
        self.trace.emit(If(past, (Return(None, None),), (), None))
        self.unflattened(number, names)
        return points


def alone(group: Group) -> Launch:
    """The kernel of a group of one stage."""
    (stage,) = group.spec.stages
    trace = Trace(group.name, None, (WIDTH, 1, 1))
    with tracing(trace):
        space = FixedSpace.of(group)
        writer = Alone(space, trace)
        made = tuple(space.tensors[t.name] for t in stage.targets)
        indices = [b.name for b in stage.targets[0].bounds]
        match stage.how:
            case None:
                points = write_map(writer, made[0], indices, stage.values[0])
            case Reduction():
                points = write_reduction(writer, made[0], indices, stage.how, stage.values[0])
            case Scan():
                points = write_scan(writer, made, indices, stage.how, stage.values)
            case _:
                assert_never(stage.how)
        count = math.prod(map(number_of, points))
        reads = [i.name for i in group.spec.inputs if i.name in writer.buffers]
        kernel = writer.finished(group.name, WIDTH, reads, tuple(t.name for t in made), each=count)
    return Launch(kernel, tuple(reads), tuple(t.name for t in made), -(-count // WIDTH))
