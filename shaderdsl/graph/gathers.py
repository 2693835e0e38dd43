"""Gathers of a graph: an index that is itself read must lie inside its axis, as for ops on arrays.

Where the host has the indices, it looks before the launches. Elsewhere a stage more finds the least wrong position:

    wrong = min(t) where(0 <= ids[t] and ids[t] < 5, 2147483647, t)

and the host looks again, to say what is wrong, when it reads that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from shaderdsl.errors import InternalError, LaunchError
from shaderdsl.graph.flatten import Flat
from shaderdsl.schedule.gathers import check_on_host, gathers_of
from shaderdsl.schedule.step import Gather
from shaderdsl.spec.axes import walk
from shaderdsl.spec.concrete import extents
from shaderdsl.spec.dtypes import stage_dtypes
from shaderdsl.spec.grid import is_gather
from shaderdsl.spec.notation import (
    Bound,
    Function,
    Index,
    Number,
    Operation,
    Operator,
    OpSpec,
    Reduction,
    ReductionKind,
    Scalar,
    Stage,
    Target,
    TensorInput,
)
from shaderdsl.spec.print import format_scalar
from shaderdsl.spec.shapes import Sizes, bind_sizes

NO_FAULT = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Gathers:
    """The gathers of a graph: those that the host checks, and for the others the results that say what was found."""

    flat: Flat
    hosted: tuple[Gather, ...]
    faults: Mapping[str, Gather]

    def check_host(self, values: Mapping[str, Any]) -> None:
        """A LaunchError for the first index outside. values: arguments, constants and numbers by name."""
        for checked in self.hosted:
            self.look(checked, values)

    def check_found(
        self, found: Mapping[str, Any], again: Callable[[Collection[str]], Mapping[str, Any] | None]
    ) -> None:
        """A LaunchError for what a launch has found. again: the values of tensors, if they can still be had."""
        for name, checked in self.faults.items():
            point = int(found[name])
            if point == NO_FAULT:
                continue
            values = again(checked.tensors)
            if values is not None:
                self.look(checked, values)
                raise InternalError(f"{name} found an index that the host finds inside")
            raise self.outside(checked, point)

    def look(self, checked: Gather, values: Mapping[str, Any]) -> None:
        try:
            check_on_host(self.flat.spec, self.flat.dtypes, checked, self.sizes, values)
        except LaunchError as error:
            error.loc = self.line(checked)
            raise

    @property
    def sizes(self) -> Sizes:
        shapes = {i.name: self.flat.shapes[i.name] for i in self.flat.spec.inputs if isinstance(i, TensorInput)}
        return bind_sizes(self.flat.spec, shapes, {})

    def line(self, checked: Gather) -> Any:
        return self.flat.lines.get(self.flat.spec.stages[checked.stage].targets[0].name)

    def outside(self, checked: Gather, point: int) -> LaunchError:
        """What can be said where the indices are gone: which read, and where."""
        sizes = extents(self.flat.spec.stages[checked.stage])
        places: list[str] = []
        for name in reversed(varying(checked)):
            point, place = divmod(point, sizes[name])
            places.append(f"{name} = {place}")
        at = f" at {', '.join(reversed(places))}" if places else ""
        tensor = checked.read.tensor
        return LaunchError(
            f"an index of {format_scalar(checked.read)}{at} is outside {tensor}, which has the shape {tuple(self.flat.shapes[tensor])}",
            self.line(checked),
            hints=["pass indices that are inside, or write a fill: x[ids[t]; 0]"],
        )


def with_faults(flat: Flat, known: frozenset[str]) -> tuple[Flat, Gathers]:
    """The graph with a stage for each gather whose indices the host does not have. known: the inputs that it has."""
    hosted: list[Gather] = []
    faults: dict[str, Gather] = {}
    stages: list[Stage] = []
    shapes = dict(flat.shapes)
    for number, stage in enumerate(flat.spec.stages):
        stages.append(stage)
        for checked in gathers_of(flat.spec, number) if math.prod(extents(stage).values()) else ():
            if known.issuperset(checked.tensors):
                hosted.append(checked)
                continue
            name = f"outside_{flat.origins[stage.targets[0].name].replace('.', '_')}_{len(faults)}"
            faults[name] = checked
            shapes[name] = ()
            stages.append(fault_stage(name, stage, checked, flat))
    if not faults:
        return flat, Gathers(flat, tuple(hosted), {})
    spec = OpSpec(flat.spec.name, flat.spec.inputs, tuple(stages), (*flat.spec.outputs, *faults))
    firsts = {n: flat.spec.stages[g.stage].targets[0].name for n, g in faults.items()}
    found = replace(
        flat,
        spec=spec,
        shapes=shapes,
        dtypes=stage_dtypes(spec),
        results={**flat.results, **{n: n for n in faults}},
        origins={**flat.origins, **{n: flat.origins[t] for n, t in firsts.items()}},
        lines={**flat.lines, **{n: flat.lines.get(t) for n, t in firsts.items()}},
    )
    return found, Gathers(flat, tuple(hosted), faults)


def fault_stage(name: str, stage: Stage, checked: Gather, flat: Flat) -> Stage:
    """The least point, in row-major order of the indices that matter, at which an index lies outside."""
    sizes = extents(stage)
    value = Function("where", (inside(checked, flat), Number(NO_FAULT), point_of(checked, sizes)))
    over = tuple(Bound(n, Number(sizes[n])) for n in varying(checked))
    return Stage((Target(name, ()),), Reduction(ReductionKind.MIN, over) if over else None, (value,))


def varying(checked: Gather) -> list[str]:
    """The indices of the stage that the gathered ones depend on."""
    used = {p.name for i in checked.read.indices if is_gather(i) for p in walk(i) if isinstance(p, Index)}
    return [n for n in checked.indices if n in used]


def inside(checked: Gather, flat: Flat) -> Scalar:
    """Whether every gathered index lies in its axis."""
    found: list[Scalar] = []
    for index, size in zip(checked.read.indices, flat.shapes[checked.read.tensor]):
        if is_gather(index):
            found.append(Operation(Operator.GE, (index, Number(0))))
            found.append(Operation(Operator.LT, (index, Number(size))))
    whole = found[0]
    for part in found[1:]:
        whole = Operation(Operator.AND, (whole, part))
    return whole


def point_of(checked: Gather, sizes: Mapping[str, int]) -> Scalar:
    """The number of a point; 0 where there are more than an i32 counts."""
    found: Scalar = Number(0)
    if math.prod(sizes[n] for n in varying(checked)) >= NO_FAULT:
        return found
    for name in varying(checked):
        found = Operation(Operator.ADD, (Operation(Operator.MUL, (found, Number(sizes[name]))), Index(name)))
    return found
