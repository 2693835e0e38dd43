"""Wrong backwards of every kind that people write, made from the right one: each must be caught by the evidence.

    for mutant in mutants(softmax, vjp(softmax)):
        mutant.kind, mutant.where          # "wrong sign", "d_x: y[i, j] * (d_y[i, j] + p[i])"

Only derived stages are changed, but for `stale eps`, which also changes what the backward computes again of the forward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from shaderdsl.spec.equal_axes import with_axis_names
from shaderdsl.spec.extents import extents_of
from shaderdsl.spec.notation import (
    Bound,
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
    Scan,
    Size,
    Stage,
    Target,
    TensorInput,
    operands,
)
from shaderdsl.spec.print import format_scalar, format_stage
from shaderdsl.spec.rewrite import mapped, parameters, subscalars, substituted

Rule = Callable[[Scalar], Iterator[Scalar]]
ADD, SUB, MUL, DIV, POW, NEG = Operator.ADD, Operator.SUB, Operator.MUL, Operator.DIV, Operator.POW, Operator.NEG


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong backward: its kind, where it differs, and the spec."""

    kind: str
    where: str
    spec: OpSpec


def mutants(forward: OpSpec, backward: OpSpec) -> Iterator[Mutant]:
    """Every mutant of a backward, kind by kind."""
    backward = with_extents(backward)
    for kind, change in OUTPUTS.items():
        for where, spec in change(forward, backward):
            yield Mutant(kind, where, spec)
    for number, stage in derived(forward, backward):
        for kind, rule in SCALARS.items():
            for value in variants(stage.values[0], outside(stage, rule)):
                yield Mutant(kind, f"{stage.targets[0].name}: {format_scalar(value)}", changed(backward, number, value))
        for kind, alter in STAGES.items():
            for other in alter(stage):
                yield Mutant(kind, format_stage(other), with_stage(backward, number, other))
    yield from stale_eps(backward)


def with_extents(spec: OpSpec) -> OpSpec:
    """The spec with every extent written, so that it keeps them whatever its stages read."""
    spec = with_axis_names(spec)
    extents = extents_of(spec)

    def written(stage: Stage) -> Stage:
        own = extents.stage(stage)
        targets = tuple(replace(t, bounds=tuple(Bound(b.name, own[b.name]) for b in t.bounds)) for t in stage.targets)
        how = stage.how
        if isinstance(how, Reduction):
            how = replace(how, over=tuple(Bound(b.name, own[b.name]) for b in how.over))
        return replace(stage, targets=targets, how=how)

    return replace(spec, stages=tuple(map(written, spec.stages)))


def derived(forward: OpSpec, backward: OpSpec) -> Iterator[tuple[int, Stage]]:
    """The stages that the derivation added, with their numbers."""
    known = {t.name for s in forward.stages for t in s.targets}
    for number, stage in enumerate(backward.stages):
        if not any(t.name in known for t in stage.targets):
            yield number, stage


def with_stage(spec: OpSpec, number: int, stage: Stage) -> OpSpec:
    return replace(spec, stages=(*spec.stages[:number], stage, *spec.stages[number + 1 :]))


def changed(spec: OpSpec, number: int, value: Scalar) -> OpSpec:
    stage = spec.stages[number]
    return with_stage(spec, number, replace(stage, values=(value, *stage.values[1:])))


def variants(scalar: Scalar, rule: Rule) -> Iterator[Scalar]:
    """The scalar with the rule applied at one place, for each place; indices of reads are not entered."""
    yield from rule(scalar)
    if isinstance(scalar, Read):
        return
    parts = operands(scalar)
    for place, part in enumerate(parts):
        for other in variants(part, rule):
            arguments = (*parts[:place], other, *parts[place + 1 :])
            if isinstance(scalar, Operation | Function):
                yield replace(scalar, arguments=arguments)


def outside(stage: Stage, rule: Rule) -> Rule:
    """The rule for what is no read of the stage itself: a scan's own step is what it is."""
    names = {t.name for t in stage.targets}
    return lambda scalar: iter(()) if isinstance(scalar, Read) and scalar.tensor in names else rule(scalar)


# Rules for one place of a scalar.


def dropped_term(scalar: Scalar) -> Iterator[Scalar]:
    match scalar:
        case Operation(Operator.ADD, (a, b)):
            yield a
            yield b
        case Operation(Operator.SUB, (a, b)):
            yield a
            yield Operation(NEG, (b,))
        case _:
            return


def wrong_sign(scalar: Scalar) -> Iterator[Scalar]:
    match scalar:
        case Operation(Operator.ADD, arguments):
            yield Operation(SUB, arguments)
        case Operation(Operator.SUB, arguments):
            yield Operation(ADD, arguments)
        case Operation(Operator.NEG, (a,)):
            yield a
        case _:
            return


def wrong_turn(scalar: Scalar) -> Iterator[Scalar]:
    """A rotation the other way."""
    if isinstance(scalar, Function) and scalar.name == "sin":
        yield Operation(NEG, (scalar,))


def missing_factor(scalar: Scalar) -> Iterator[Scalar]:
    """A 2 or another constant that is forgotten."""
    match scalar:
        case Operation(Operator.MUL, (Number(n), b)) if n != 1:
            yield b
        case Operation(Operator.MUL | Operator.DIV, (a, Number(n))) if n != 1:
            yield a
        case Operation(Operator.POW, (a, Number(n))) if n != 1:
            yield Operation(POW, (a, Number(n - 1)))
        case _:
            return


def is_scale(scalar: Scalar) -> bool:
    return isinstance(scalar, Parameter | Size) or (isinstance(scalar, Read) and len(scalar.indices) < 2)


def missing_scale(scalar: Scalar) -> Iterator[Scalar]:
    """A parameter, a size or a statistic of a row that is forgotten."""
    match scalar:
        case Operation(Operator.MUL, (a, b)):
            if is_scale(a):
                yield b
            if is_scale(b):
                yield a
        case Operation(Operator.DIV, (a, _)):
            yield a
        case Function("where", (c, Parameter(), b)):
            yield Function("where", (c, Number(1), b))
        case _:
            return


def transposed(scalar: Scalar) -> Iterator[Scalar]:
    """An operand with its last two axes taken for each other."""
    match scalar:
        case Read(_, (*front, Index() as a, Index() as b)) if a != b:
            yield replace(scalar, indices=(*front, b, a))
        case _:
            return


MOVED = {Operator.LE: Operator.LT, Operator.LT: Operator.LE, Operator.GE: Operator.GT, Operator.GT: Operator.GE}


def over_floats(scalar: Scalar) -> bool:
    """Whether a comparison is of elements: moving between < and <= would change nothing but a kink."""
    return any(isinstance(s, Read) for s in subscalars(scalar))


def far_from(bound: Scalar) -> Scalar:
    """Another bound, so far off that some element lies between."""
    large = isinstance(bound, Number) and abs(bound.value) > 2
    return Operation(MUL, (bound, Number(0.5))) if large else Operation(ADD, (bound, Number(0.5)))


def shifted_mask(scalar: Scalar) -> Iterator[Scalar]:
    """A comparison that is one off."""
    match scalar:
        case Operation(operator, (a, b)) if operator in MOVED:
            if over_floats(scalar):
                yield Operation(operator, (a, far_from(b)))
            else:
                yield Operation(MOVED[operator], (a, b))
        case Operation(Operator.EQ, (a, b)):
            yield Operation(Operator.EQ, (a, Operation(ADD, (b, Number(1)))))
        case _:
            return


def dropped_where(scalar: Scalar) -> Iterator[Scalar]:
    match scalar:
        case Function("where", (_, a, b)):
            yield a
            yield b
        case _:
            return


def wrong_index(scalar: Scalar) -> Iterator[Scalar]:
    """A read one place further along each axis."""
    if isinstance(scalar, Read):
        for place, index in enumerate(scalar.indices):
            moved = Operation(ADD, (index, Number(1)))
            yield replace(scalar, indices=(*scalar.indices[:place], moved, *scalar.indices[place + 1 :]))


OTHERS = {"exp": "exp2", "sigmoid": "tanh", "silu": "sigmoid", "sin": "cos", "cos": "sin", "log": "log2"} | {
    "sqrt": "exp",
    "rsqrt": "sqrt",
    "relu": "softplus",
    "tanh": "sigmoid",
    "max": "min",
    "min": "max",
}


def wrong_function(scalar: Scalar) -> Iterator[Scalar]:
    if isinstance(scalar, Function) and scalar.name in OTHERS:
        yield replace(scalar, name=OTHERS[scalar.name])


SCALARS: dict[str, Rule] = {
    "dropped term": dropped_term,
    "wrong sign": wrong_sign,
    "wrong sign of a rotation": wrong_turn,
    "missing factor": missing_factor,
    "missing scale": missing_scale,
    "transposed operand": transposed,
    "shifted mask": shifted_mask,
    "dropped where": dropped_where,
    "wrong index": wrong_index,
    "wrong function": wrong_function,
}


# Changes of a whole stage.


def wrong_axis(stage: Stage) -> Iterator[Stage]:
    """A reduction along another axis: a kept index and a summed one take each other's place."""
    if not isinstance(stage.how, Reduction):
        return
    for kept in stage.targets[0].bounds:
        for summed in stage.how.over:
            swap: dict[str, Scalar] = {kept.name: Index(summed.name), summed.name: Index(kept.name)}
            yield replace(stage, values=(substituted(stage.values[0], swap),))


def dropped_sum(stage: Stage) -> Iterator[Stage]:
    """Only the first element instead of the sum; the mean instead of the sum."""
    if not isinstance(stage.how, Reduction) or stage.how.kind is not ReductionKind.SUM:
        return
    for summed in stage.how.over:
        only = Operation(Operator.EQ, (Index(summed.name), Number(0)))
        yield replace(stage, values=(Function("where", (only, stage.values[0], Number(0))),))
    yield replace(stage, how=replace(stage.how, kind=ReductionKind.MEAN))


def dropped_carry(stage: Stage) -> Iterator[Stage]:
    """A scan that forgets the step before."""
    if not isinstance(stage.how, Scan):
        return
    names = {t.name for t in stage.targets}

    def forgotten(part: Scalar) -> Scalar | None:
        # Times zero, so that every index keeps its extent.
        own = isinstance(part, Read) and part.tensor in names
        return Operation(MUL, (Number(0), part)) if own else None

    yield replace(stage, values=tuple(mapped(v, forgotten) for v in stage.values))


STAGES: dict[str, Callable[[Stage], Iterator[Stage]]] = {
    "wrong axis": wrong_axis,
    "dropped sum": dropped_sum,
    "dropped carry": dropped_carry,
}


# Changes of what comes out.

Change = Callable[[OpSpec, OpSpec], Iterator[tuple[str, OpSpec]]]


def in_place_of(backward: OpSpec, name: str, value: Callable[[Read], Scalar]) -> OpSpec:
    """The backward with another value for one gradient."""
    stage = backward.stage_of(name)
    bounds = () if stage is None else next(t for t in stage.targets if t.name == name).bounds
    if stage is None:
        given = next(i for i in backward.inputs if isinstance(i, TensorInput) and i.name == name)
        bounds = tuple(Bound(f"i{n}") for n in range(len(given.axes)))
    plain = tuple(Bound(b.name) for b in bounds)
    own = Read(name, tuple(Index(b.name) for b in plain))
    wrong = Stage((Target(f"wrong_{name}", plain),), None, (value(own),))
    outputs = tuple(wrong.targets[0].name if o == name else o for o in backward.outputs)
    return replace(backward, stages=(*backward.stages, wrong), outputs=outputs)


def scaled_by(factor: float) -> Change:
    def change(_: OpSpec, backward: OpSpec) -> Iterator[tuple[str, OpSpec]]:
        for name in dict.fromkeys(backward.outputs):
            yield name, in_place_of(backward, name, lambda own: Operation(MUL, (Number(factor), own)))

    return change


def identity(forward: OpSpec, backward: OpSpec) -> Iterator[tuple[str, OpSpec]]:
    """What comes in instead of the gradient."""
    incoming = [i for i in backward.inputs if i not in forward.inputs and isinstance(i, TensorInput)]
    for name in dict.fromkeys(backward.outputs):
        for given in incoming:

            def value(own: Read, given: TensorInput = given) -> Scalar:
                nothing = Operation(MUL, (Number(0), own))
                return Operation(ADD, (Read(given.name, own.indices), nothing))

            stage = backward.stage_of(name)
            rank = len(stage.targets[0].bounds) if stage is not None else len(given.axes)
            if rank == len(given.axes):
                yield f"{name}: {given.name}", in_place_of(backward, name, value)


def swapped(_: OpSpec, backward: OpSpec) -> Iterator[tuple[str, OpSpec]]:
    for first in range(len(backward.outputs)):
        for second in range(first + 1, len(backward.outputs)):
            names = list(backward.outputs)
            names[first], names[second] = names[second], names[first]
            yield f"{names[second]} and {names[first]}", replace(backward, outputs=tuple(names))


OUTPUTS: dict[str, Change] = {
    "zero": scaled_by(0),
    "negated": scaled_by(-1),
    "doubled": scaled_by(2),
    "identity": identity,
    "swapped outputs": swapped,
}


def stale_eps(backward: OpSpec) -> Iterator[Mutant]:
    """Another eps than the forward's."""
    if not any("eps" in parameters(v) for s in backward.stages for v in s.values):
        return
    stale = Operation(MUL, (Number(3), Parameter("eps")))

    def other(part: Scalar) -> Scalar | None:
        return stale if part == Parameter("eps") else None

    stages = tuple(replace(s, values=tuple(mapped(v, other) for v in s.values)) for s in backward.stages)
    yield Mutant("stale eps", "3 * eps", replace(backward, stages=stages))


KINDS: tuple[str, ...] = (*OUTPUTS, *SCALARS, *STAGES, "stale eps")
