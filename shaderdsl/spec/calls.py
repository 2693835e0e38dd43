"""Lines that call another spec: `p = softmax(scores)`, `a, b = split(x, at=3)`.

Tensors are passed by their bare names, scalars as any expression of scalars, by position or by name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shaderdsl.errors import Location, SpecError
from shaderdsl.spec.axes import Axis, named_axis
from shaderdsl.spec.dtypes import WHOLE
from shaderdsl.spec.equal_axes import equal_axes, root
from shaderdsl.spec.inline import Inlined, inline
from shaderdsl.spec.names import Names, counted
from shaderdsl.spec.notation import Dtype, Input, OpSpec, Scalar, ScalarInput, Stage, TensorInput
from shaderdsl.spec.scalars import Scope, build
from shaderdsl.spec.syntax import Call, Formula, Node, StageLine, Word


def called(
    formula: Formula,
    line: StageLine,
    call: Call,
    names: Names,
    stages: Sequence[Stage],
    dtypes: Mapping[str, Dtype],
    library: Mapping[str, OpSpec],
) -> Inlined:
    """A line `y = other(x, eps=1e-6)` as that spec's stages."""
    callee = library[call.function.text]
    where = formula.place(call.at)
    if any(not t.bare for t in line.targets):
        hint = f"write {', '.join(t.name.text for t in line.targets)} = {call.function.text}(..)"
        raise SpecError("a called spec names its own indices", formula.place(line.targets[0].name.at), hints=[hint])
    if len(line.targets) != len(callee.outputs):
        raise SpecError(
            f"{callee.name} gives {len(callee.outputs)}: {', '.join(callee.outputs)}",
            where,
            hints=["name each on the left"],
        )
    scope = Scope(
        formula, names, tuple(stages), dtypes, tuple(t.name.text for t in line.targets), frozenset(), False, False
    )
    bound: dict[str, str | Scalar] = {}
    for given, argument in paired(callee, call, where):
        if isinstance(given, TensorInput):
            bound[given.name] = tensor_argument(scope, given, argument, callee)
        else:
            bound[given.name] = scalar_argument(scope, given, argument)
    taken = {i.name for i in names.inputs} | set(names.defined) | set(dtypes)
    return inline(callee, tuple(t.name.text for t in line.targets), bound, taken, formula.place(line.at).where)


def paired(callee: OpSpec, call: Call, where: Location) -> list[tuple[Input, Node]]:
    """The callee's inputs with the nodes given for them, by position or name."""
    by_name = {i.name: i for i in callee.inputs}
    found: dict[str, Node] = {}
    for position, argument in enumerate(call.arguments):
        given = by_name.get(argument.name.text) if argument.name else at(callee.inputs, position)
        if given is None or given.name in found:
            what = argument.name.text if argument.name else f"argument {position + 1}"
            raise SpecError(
                f"{callee.name} takes no further {what}", where, hints=[f"it takes {', '.join(by_name) or 'nothing'}"]
            )
        found[given.name] = argument.value
    missing = [n for n in by_name if n not in found]
    if missing:
        raise SpecError(
            f"{callee.name} needs {', '.join(missing)}", where, hints=[f"it takes {', '.join(by_name)} in this order"]
        )
    return [(by_name[n], node) for n, node in found.items()]


def at(inputs: Sequence[Input], position: int) -> Input | None:
    return inputs[position] if position < len(inputs) else None


def tensor_argument(scope: Scope, given: TensorInput, node: Node, callee: OpSpec) -> str:
    """The name of a tensor that is passed on, with the rank that the callee reads."""
    where = scope.formula.place(node.at)
    if not isinstance(node, Word):
        hint = "name a stage for it and pass its bare name"
        raise SpecError(f"{given.name} of {callee.name} is a tensor", where, hints=[hint])
    rank, leading = scope.rank_of(node)
    fits = leading or given.leading or rank == len(given.axes)
    if not fits or (given.leading and not leading and rank < len(given.axes)):
        wanted = f"at least {len(given.axes)}" if given.leading else str(len(given.axes))
        raise SpecError(
            f"{node.text} has {counted(rank)}, and {given.name} of {callee.name} has {wanted}",
            where,
            hints=["pass a tensor of that many axes"],
        )
    whole = Dtype.F32 not in (given.dtype, scope.dtypes[node.text])
    if not whole and given.dtype is not scope.dtypes[node.text]:
        raise SpecError(
            f"{node.text} is {scope.dtypes[node.text].value}, and {given.name} of {callee.name} {given.dtype.value}",
            where,
            hints=["convert it in a stage"],
        )
    return node.text


def scalar_argument(scope: Scope, given: ScalarInput, node: Node) -> Scalar:
    """An expression for a scalar parameter of a callee."""
    scalar, kind = build(scope, node)
    if given.dtype is not Dtype.F32 and kind not in WHOLE:
        raise SpecError(f"{given.name} is a whole number", scope.formula.place(node.at), hints=["convert with i32(x)"])
    return scalar


def check_inlined(
    formula: Formula, line: StageLine, inlined: Inlined, inputs: Sequence[Input], stages: Sequence[Stage]
) -> None:
    """Sizes that a called spec takes by name must mean the same axes here, and axes of one name there be equal here."""
    for name, position, axis in inlined.sizes:
        before = stages[: position + stages.index(inlined.stages[0])]
        if named_axis(inputs, before, name) != axis:
            raise SpecError(
                f"size({name}) of the called spec is another axis here",
                formula.place(line.at),
                hints=[f"name axes in a given line so that {name} is first an axis of {axis.tensor}"],
            )
    classes = equal_axes(inputs, stages)
    for first, other in inlined.alike:
        if root(classes, first) != root(classes, other) and not written_alike(stages, first, other):
            raise SpecError(
                f"the called spec has one name for an axis of {first.tensor} and one of {other.tensor}, which may differ here",
                formula.place(line.at),
                hints=["name both axes alike in a given line, or read them by one index"],
            )


def written_alike(stages: Sequence[Stage], first: Axis, other: Axis) -> bool:
    """Whether two axes are of stages that write one extent for them."""
    extents = [extent_at(stages, axis) for axis in (first, other)]
    return extents[0] is not None and extents[0] == extents[1]


def extent_at(stages: Sequence[Stage], axis: Axis) -> Scalar | None:
    """The extent that a stage writes for an axis."""
    bounds = next((t.bounds for s in stages for t in s.targets if t.name == axis.tensor), ())
    return bounds[axis.position].extent if len(bounds) >= -axis.position else None
