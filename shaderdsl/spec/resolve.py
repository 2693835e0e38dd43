"""Names to what they mean: a formula's lines into a spec, stage by stage.

`y[t] = x[t - k] + bias` under `given x[t], k, bias`: t is an Index, k an integer Parameter (it stands in an index), bias a float one.
A name on the left or in a reduction is an index of that stage; a name before brackets is a tensor, an input unless a stage
defines it; any other is a scalar stage or a parameter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shaderdsl.errors import Related, SpecError
from shaderdsl.spec.axes import Axis, axis_names, indices_of, natural_axes
from shaderdsl.spec.calls import called, check_inlined
from shaderdsl.spec.checks import check_scan, check_sizes
from shaderdsl.spec.dtypes import WHOLE, common, kind_of, target_dtypes
from shaderdsl.spec.equal_axes import axes_of, equal_axes, join, root
from shaderdsl.spec.inline import Inlined
from shaderdsl.spec.names import Names, call_of, gather_names, suggestion
from shaderdsl.spec.notation import (
    Bound,
    Dtype,
    Input,
    OpSpec,
    Reduction,
    Scalar,
    Scan,
    Stage,
    Target,
    TensorInput,
)
from shaderdsl.spec.scalars import Scope, as_number, build
from shaderdsl.spec.syntax import (
    BoundSyntax,
    Formula,
    Line,
    NamesLine,
    Node,
    ReductionSyntax,
    ScanSyntax,
    StageLine,
    Word,
)


def resolve(formula: Formula, lines: Sequence[Line], library: Mapping[str, OpSpec]) -> OpSpec:
    """The spec of a formula's lines."""
    names = gather_names(formula, lines, library)
    stages: list[Stage] = []
    dtypes: dict[str, Dtype] = {i.name: i.dtype for i in names.inputs}
    saved: list[str] = []
    pending: list[tuple[StageLine, Inlined]] = []
    for line in names.stages:
        call = call_of(line, library)
        if call is None:
            made = [stage_of(formula, line, names, stages, dtypes)]
        else:
            inlined = called(formula, line, call, names, stages, dtypes, library)
            pending.append((line, inlined))
            made = list(inlined.stages)
            saved += inlined.saved
        for stage in made:
            dtypes |= target_dtypes(stage, dtypes)
            stages.append(stage)
    alike = [pair for _, inlined in pending for pair in inlined.alike]
    inputs = names.inputs if names.given else inferred_axes(names.inputs, stages, alike)
    check_sizes(formula, names.stages, inputs, stages)
    for line, inlined in pending:
        check_inlined(formula, line, inlined, inputs, stages)
    outputs = declared(formula, names, "out", stages) or tuple(t.name for t in stages[-1].targets)
    kept = (*declared(formula, names, "saved", stages), *saved)
    return OpSpec(formula.name, inputs, tuple(stages), outputs, tuple(dict.fromkeys(kept)))


def inferred_axes(
    inputs: Sequence[Input], stages: Sequence[Stage], alike: Sequence[tuple[Axis, Axis]]
) -> tuple[Input, ...]:
    """Inputs without a given line, with names for their axes: one for axes that are equal by rule, or in a called spec."""
    named = [
        replace(i, axes=axis_names(stages, i.name, len(i.axes))) if isinstance(i, TensorInput) else i for i in inputs
    ]
    classes = equal_axes((), stages)
    for first, other in alike:
        join(classes, [first, other])
    tensors = [i for i in named if isinstance(i, TensorInput)]
    names = {axis: name for i in tensors for name, axis in zip(i.axes, axes_of(i))}
    for first, _ in alike:
        members = [a for a in names if root(classes, a) == root(classes, first)]
        names |= dict.fromkeys(members, names[members[0]] if members else None)
    kept = without_clashes(names, classes)
    return tuple(
        replace(i, axes=tuple(kept[a] for a in axes_of(i))) if isinstance(i, TensorInput) else i for i in named
    )


def without_clashes(names: Mapping[Axis, str | None], classes: Mapping[Axis, Axis]) -> dict[Axis, str | None]:
    """No name for an axis that need not be as long as the first one of its name: `scale[i // 4]` beside `x[i]`."""
    first: dict[str, Axis] = {}
    kept: dict[Axis, str | None] = {}
    for axis, name in names.items():
        owner = axis if name is None else first.setdefault(name, axis)
        kept[axis] = name if root(classes, owner) == root(classes, axis) else None
    return kept


def declared(formula: Formula, names: Names, kind: str, stages: Sequence[Stage]) -> tuple[str, ...]:
    """The names of `out(..)` or `saved(..)`, each a stage."""
    line: NamesLine | None = names.declarations.get(kind)
    if line is None:
        return ()
    defined = [t.name for s in stages for t in s.targets]
    seen: set[str] = set()
    for word in line.names:
        where = formula.place(word.at)
        if word.text not in defined:
            hints = suggestion(word.text, defined) or ["name a stage"]
            raise SpecError(f"no stage is named {word.text}", where, hints=hints)
        if word.text in seen:
            raise SpecError(f"{word.text} is listed twice", where, hints=["list it once"])
        seen.add(word.text)
    return tuple(w.text for w in line.names)


def stage_of(
    formula: Formula,
    line: StageLine,
    names: Names,
    stages: Sequence[Stage],
    dtypes: Mapping[str, Dtype],
) -> Stage:
    """One line as a stage."""
    check_shape(formula, line)
    own = tuple(t.name.text for t in line.targets)
    over = line.how.over if isinstance(line.how, ReductionSyntax) else ()
    indices = check_indices(formula, (*line.targets[0].bounds, *over))
    leading = line.targets[0].leading
    scope = Scope(
        formula, names, tuple(stages), dtypes, own, frozenset(indices), leading, isinstance(line.how, ScanSyntax)
    )
    targets = tuple(Target(t.name.text, bounds(scope, t.bounds), leading) for t in line.targets)
    how: Reduction | Scan | None = None
    if isinstance(line.how, ReductionSyntax):
        how = Reduction(line.how.kind, bounds(scope, over))
    carried = scope
    if isinstance(line.how, ScanSyntax):
        starts = starts_of(scope, line.how, len(own))
        carried = scope.carrying(carried_kinds(scope, line, starts))
        how = Scan(line.how.index.text, False, starts)
    values = tuple(value_of(carried, v, how) for v in line.values)
    stage = Stage(targets, how, values, formula.place(line.at).where)
    if isinstance(line.how, ScanSyntax):
        stage = check_scan(formula, line, line.how, stage)
    check_extents(formula, (*line.targets[0].bounds, *over), stage)
    return stage


def carried_kinds(scope: Scope, line: StageLine, starts: tuple[Scalar, ...] | None) -> dict[str, Dtype]:
    """The types of what a scan carries, found from its starts and values with nothing known."""
    known: dict[str, Dtype] = {}
    for _ in range(len(line.targets) + 1):
        inner = scope.carrying(known)
        for i, (target, value) in enumerate(zip(line.targets, line.values)):
            start = kind_of(starts[i], scope.dtypes) if starts else None
            kind = common((start, build(inner, value)[1]), scope.formula.place(value.at))
            if kind is not None:
                known = {**known, target.name.text: kind}
    return known


def value_of(scope: Scope, node: Node, how: Reduction | Scan | None) -> Scalar:
    """A stage's value; a condition stays one in a map only."""
    scalar, kind = build(scope, node)
    return scalar if how is None else as_number(scalar, kind)[0]


def check_shape(formula: Formula, line: StageLine) -> None:
    """As many values as targets, several only in a scan, all with the same indices."""
    several = len(line.targets) > 1
    if several and not isinstance(line.how, ScanSyntax):
        where = formula.place(line.targets[1].name.at)
        raise SpecError("only a scan defines several names", where, hints=["write one stage a line"])
    if len(line.values) != len(line.targets):
        where = formula.place(line.values[-1].at)
        raise SpecError(
            f"{len(line.targets)} on the left and {len(line.values)} on the right",
            where,
            hints=["write one value for each name on the left"],
        )
    head = line.targets[0]
    for other in line.targets[1:]:
        if [b.name.text for b in other.bounds] != [b.name.text for b in head.bounds] or other.leading != head.leading:
            hint = "name the indices of all targets alike, in one order"
            raise SpecError(
                f"{other.name.text} has other indices than {head.name.text}", formula.place(other.name.at), hints=[hint]
            )


def check_indices(formula: Formula, bound: Sequence[BoundSyntax]) -> list[str]:
    """The indices of a stage, each named once."""
    seen: dict[str, Word] = {}
    for b in bound:
        if b.name.text in seen:
            raise SpecError(
                f"{b.name.text} is an index of this stage already",
                formula.place(b.name.at),
                related=[Related("first here", formula.place(seen[b.name.text].at))],
                hints=["an index stands on the left or is reduced over, once"],
            )
        seen[b.name.text] = b.name
    return list(seen)


def bounds(scope: Scope, written: Sequence[BoundSyntax]) -> tuple[Bound, ...]:
    """Bounds with their extents as expressions of whole numbers."""
    found: list[Bound] = []
    for b in written:
        if b.extent is None:
            found.append(Bound(b.name.text))
            continue
        extent, kind = build(scope.of_extent(), b.extent)
        if kind not in WHOLE:
            raise SpecError("an extent is a whole number", scope.formula.place(b.extent.at), hints=["divide with //"])
        found.append(Bound(b.name.text, extent))
    return tuple(found)


def starts_of(scope: Scope, how: ScanSyntax, count: int) -> tuple[Scalar, ...] | None:
    """The values before the first step, read outside of the scan's axis."""
    if how.starts is None:
        return None
    if len(how.starts) != count:
        raise SpecError(
            f"{len(how.starts)} starts for {count} carried",
            scope.formula.place(how.at),
            hints=["write start=(a, b), one for each name on the left"],
        )
    inner = scope.of_start(how.index.text)
    return tuple(as_number(*build(inner, s))[0] for s in how.starts)


def check_extents(formula: Formula, bound: Sequence[BoundSyntax], stage: Stage) -> None:
    """Every index has an extent: written, or of an axis where it stands alone or leads."""
    for b in bound:
        if indices_of(stage)[b.name.text] is None and not natural_axes(stage, b.name.text):
            raise SpecError(
                f"{b.name.text} has no extent",
                formula.place(b.name.at),
                label="stands alone in no read",
                hints=[f"write {b.name.text} < n, with its extent"],
            )
