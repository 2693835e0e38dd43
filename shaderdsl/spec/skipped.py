"""What gradients do not flow through, and why: what a derivation passes over in silence, said.

f = sd.op("distil", 'y[i] = (x[i] - stop_gradient(t[i], because="the teacher is fixed")) ** 2 * scale')
print(*f.skipped, sep="\\n")        # y: stop_gradient(t[i]): the teacher is fixed
                                   # scale: gradients are for tensors
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from shaderdsl.spec.axes import walk, written
from shaderdsl.spec.dtypes import stage_dtypes
from shaderdsl.spec.notation import Dtype, Function, OpSpec, ScalarInput, Stage
from shaderdsl.spec.print import format_scalar

KINDS = {Dtype.I32: "whole numbers have no gradient", Dtype.U32: "whole numbers have no gradient"} | {
    Dtype.BOOL: "conditions have no gradient"
}


@dataclass(frozen=True, slots=True)
class Skipped:
    """where: an input or a stage. what: the expression in it, empty for all of it. why: in words."""

    where: str
    what: str
    why: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.where, self.what, self.why) if part)


def skipped(spec: OpSpec) -> tuple[Skipped, ...]:
    """What has no gradient, in the order of the formula."""
    dtypes = stage_dtypes(spec)
    found: list[Skipped] = []
    for given in spec.inputs:
        if isinstance(given, ScalarInput):
            found.append(Skipped(given.name, "", "gradients are for tensors"))
        elif given.dtype is not Dtype.F32:
            found.append(Skipped(given.name, "", KINDS[given.dtype]))
    for stage in spec.stages:
        found += [Skipped(t.name, "", KINDS[d]) for t in stage.targets if (d := dtypes[t.name]) is not Dtype.F32]
        found += held_fast(stage)
    return tuple(found)


def held_fast(stage: Stage) -> Iterator[Skipped]:
    """What a stage itself takes out of the derivative."""
    for scalar in written(stage):
        for part in walk(scalar):
            match part:
                case Function("stop_gradient", _, because):
                    text = format_scalar(replace(part, because=""))
                    yield Skipped(stage.targets[0].name, text, because or "by the formula's word")
                case Function("straight_through", (inner, instead)):
                    why = f"{format_scalar(instead)} has its gradient"
                    yield Skipped(stage.targets[0].name, format_scalar(inner), why)
                case _:
                    pass
