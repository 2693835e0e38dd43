"""Rules of whole stages: what a scan may read of itself, and that every `size(name)` names an axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from shaderdsl.errors import SpecError
from shaderdsl.spec.axes import indices_of, named_axis
from shaderdsl.spec.axes import walk as walk_scalar
from shaderdsl.spec.names import suggestion
from shaderdsl.spec.notation import (
    Index,
    Input,
    Number,
    Operation,
    Operator,
    Read,
    Scalar,
    Scan,
    Stage,
    Target,
    TensorInput,
)
from shaderdsl.spec.scalars import sizes_of
from shaderdsl.spec.syntax import (
    BoundSyntax,
    Element,
    Formula,
    Node,
    Part,
    ReductionSyntax,
    ScanSyntax,
    StageLine,
    walk,
)


def step_of(index: Scalar, name: str) -> int | None:
    """-1 for `t - 1`, 1 for `t + 1`, else None."""
    match index:
        case Operation(Operator.SUB, (Index(found), Number(1))) if found == name:
            return -1
        case Operation(Operator.ADD, (Index(found), Number(1))) if found == name:
            return 1
        case _:
            return None


def self_reads(stage: Stage) -> list[Read]:
    """Where a scan reads what it carries, in the order of the text."""
    own = {t.name for t in stage.targets}
    return [p for v in stage.values for p in walk_scalar(v) if isinstance(p, Read) and p.tensor in own]


def step_of_read(read: Read, target: Target, name: str) -> int | None:
    """The step of a read of the scan itself, None where it is not one step away at the same other indices."""
    if len(read.indices) != len(target.bounds) or read.leading != target.leading or read.fill is not None:
        return None
    step: int | None = None
    for index, bound in zip(read.indices, target.bounds):
        if bound.name == name:
            step = step_of(index, name)
        elif index != Index(bound.name):
            return None
    return step


def check_scan(formula: Formula, line: StageLine, how: ScanSyntax, stage: Stage) -> Stage:
    """The stage with its direction; it reads itself, one step away, in one direction."""
    name = how.index.text
    target = stage.targets[0]
    if name not in [b.name for b in target.bounds] or not isinstance(stage.how, Scan):
        hint = f"write {target.name}[{name}] = scan({name}) ..."
        raise SpecError(f"{name} is no index of {target.name}", formula.place(how.index.at), hints=[hint])
    own = {t.name for t in stage.targets}
    nodes = [p for v in line.values for p in walk(v) if isinstance(p, Element) and p.tensor.text in own]
    steps: list[int] = []
    for node, read in zip(nodes, self_reads(stage)):
        step = step_of_read(read, target, name)
        if step is None:
            shape = [f"{b.name} - 1" if b.name == name else b.name for b in target.bounds]
            example = f"{read.tensor}[{', '.join(['...'] * target.leading + shape)}]"
            raise SpecError(
                f"a scan over {name} reads itself one step away, at the same other indices",
                formula.place(node.at),
                hints=[f"write {example}; what comes before the first step is start="],
            )
        if steps and step != steps[0]:
            where = formula.place(node.at)
            raise SpecError("a scan runs one way", where, hints=[f"read {name} - 1 everywhere, or {name} + 1"])
        steps.append(step)
    if not steps:
        hint = f"read {target.name} at {name} - 1, or write a map"
        raise SpecError(f"{target.name} does not read itself", formula.place(how.at), hints=[hint])
    return replace(stage, how=replace(stage.how, backwards=steps[0] > 0))


def check_sizes(formula: Formula, lines: Sequence[StageLine], inputs: Sequence[Input], stages: Sequence[Stage]) -> None:
    """Every `size(name)` is of an index of its stage, or of an axis that is known there."""
    for line in lines:
        stage = next((s for s in stages if s.targets[0].name == line.targets[0].name.text), None)
        if stage is None:
            continue
        before = stages[: stages.index(stage)]
        own = indices_of(stage)
        for word in sizes_of(list(values_of(line))):
            if word.text not in own and named_axis(inputs, before, word.text) is None:
                raise no_axis(formula, word.text, word.at, inputs)
        for bound in bounds_of(line):
            for word in sizes_of([bound.extent] if bound.extent is not None else []):
                known = word.text in own and word.text != bound.name.text
                if not known and named_axis(inputs, before, word.text) is None:
                    raise no_axis(formula, word.text, word.at, inputs)


def no_axis(formula: Formula, name: str, at: Part, inputs: Sequence[Input]) -> SpecError:
    axes = [a for i in inputs if isinstance(i, TensorInput) for a in i.axes if a is not None]
    hints = suggestion(name, axes) or ["name the axis in a given line: given x[i]"]
    return SpecError(f"no axis is named {name}", formula.place(at), hints=hints)


def bounds_of(line: StageLine) -> Iterator[BoundSyntax]:
    for target in line.targets:
        yield from target.bounds
    if isinstance(line.how, ReductionSyntax):
        yield from line.how.over


def values_of(line: StageLine) -> Iterator[Node]:
    if isinstance(line.how, ScanSyntax):
        yield from line.how.starts or ()
    yield from line.values
