"""One kernel for groups that differ in nothing but names: the layers of a network are scheduled, written and compiled once.

kernels = Kernels();  kernels.launch(group)      # Launch(kernel, .., tensors={"x": "x_7", "y": "y_7"})
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace

from shaderdsl.ir.kernel import Kernel
from shaderdsl.schedule.group import Group, Launch
from shaderdsl.spec.axes import indices_of
from shaderdsl.spec.notation import Bound, Index, Read, Reduction, Scalar, ScalarInput, Scan, Stage, TensorInput
from shaderdsl.spec.print import format_scalar
from shaderdsl.spec.rewrite import rebuilt


@dataclass(slots=True, eq=False)
class Kernels:
    """The launches made so far, with the names of the tensors in them, by what their groups have in common."""

    schedule: Callable[[Group], Launch]
    made: dict[Hashable, tuple[tuple[str, ...], Launch]] = field(
        default_factory=dict[Hashable, "tuple[tuple[str, ...], Launch]"]
    )
    over: dict[Hashable, Kernel] = field(default_factory=dict[Hashable, Kernel])

    def launch(self, group: Group) -> Launch:
        """A group's launch, of a kernel that another one may have too."""
        names = names_of(group)
        key = key_of(group, names)
        if key not in self.made:
            self.made[key] = names, self.schedule(group)
        first, launch = self.made[key]
        return renamed(launch, dict(zip(first, names)), group)


def renamed(launch: Launch, instead: dict[str, str], group: Group) -> Launch:
    """A launch of the same kernel on other tensors."""
    buffers = [b.variable.name for b in launch.kernel.buffers]
    return replace(
        launch,
        reads=tuple(instead[n] for n in launch.reads),
        writes=tuple(instead[n] for n in launch.writes),
        tensors={n: instead[n] for n in buffers if instead[n] != n},
        group=group,
    )


def names_of(group: Group) -> tuple[str, ...]:
    """The tensors of a group in a fixed order."""
    inputs = [i.name for i in group.spec.inputs if isinstance(i, TensorInput)]
    made = [t.name for s in group.spec.stages for t in s.targets]
    return tuple(dict.fromkeys([*inputs, *made, *group.partials.values()]))


def key_of(group: Group, names: tuple[str, ...]) -> Hashable:
    """What a kernel depends on: all of a group but the names of its tensors and indices."""
    number = {n: place for place, n in enumerate(names)}
    domain = {n: f"#{place}" for place, n in enumerate(group.domain)}
    inputs = tuple((i.name if isinstance(i, ScalarInput) else "", i.dtype) for i in group.spec.inputs)
    return (
        group.kind,
        group.name,
        tuple(group.domain.values()),
        None if group.swept is None else tuple(domain[n] for n in group.swept),
        tuple((number[a], number[b]) for a, b in group.partials.items()),
        group.notes,
        inputs,
        tuple(stage_key(s, number, domain) for s in group.spec.stages),
        tuple(number[n] for n in group.spec.outputs),
        tuple((group.shapes.get(n), group.dtypes.get(n)) for n in names),
    )


def stage_key(stage: Stage, number: dict[str, int], domain: dict[str, str]) -> Hashable:
    own = {n: domain.get(n, f"#{len(domain) + place}") for place, n in enumerate(indices_of(stage))}

    def canonical(scalar: Scalar) -> Scalar:
        if isinstance(scalar, Index):
            return Index(own[scalar.name])
        inner = rebuilt(scalar, canonical)
        return replace(inner, tensor=f"%{number[inner.tensor]}") if isinstance(inner, Read) else inner

    def bounds(given: tuple[Bound, ...]) -> Hashable:
        return tuple((own[b.name], b.extent) for b in given)

    values = tuple(format_scalar(canonical(v)) for v in stage.values)
    targets = tuple((number[t.name], bounds(t.bounds)) for t in stage.targets)
    match stage.how:
        case None:
            return targets, values
        case Reduction(kind, over):
            return targets, values, kind, bounds(over)
        case Scan(index, backwards, starts):
            begun = None if starts is None else tuple(format_scalar(canonical(s)) for s in starts)
            return targets, values, own[index], backwards, begun
