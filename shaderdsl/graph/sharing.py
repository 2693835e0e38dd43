"""What is computed twice is computed once, and what nobody needs not at all.

shared(flat)        # a backward that recomputes its forward reads the forward's stages instead
live(flat)          # without stages that no output needs
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shaderdsl.graph.flatten import Flat
from shaderdsl.spec import finish
from shaderdsl.spec.axes import indices_of
from shaderdsl.spec.notation import Index, Operation, Operator, Read, Reduction, Scalar, Scan, Stage
from shaderdsl.spec.print import format_scalar
from shaderdsl.spec.rewrite import rebuilt, with_scalars
from shaderdsl.spec.rewrite import retargeted as retargeted_scalar

EITHER_WAY = (Operator.ADD, Operator.MUL, Operator.EQ, Operator.NE)
"""Operators whose operands may change places without a change of one bit."""


def shared(flat: Flat) -> Flat:
    """The graph with each distinct stage once."""
    first: dict[str, Stage] = {}
    instead: dict[str, str] = {}
    stages: list[Stage] = []
    for stage in flat.spec.stages:
        known = with_reads(stage, instead) if instead else stage
        before = first.setdefault(key_of(known), known)
        if before is known:
            stages.append(known)
        else:
            instead |= {t.name: b.name for t, b in zip(known.targets, before.targets)}
    return retargeted(flat, stages, instead)


def with_reads(stage: Stage, instead: Mapping[str, str]) -> Stage:
    """A stage that reads other tensors in place of these."""
    return with_scalars(stage, lambda scalar: retargeted_scalar(scalar, instead))


def retargeted(flat: Flat, stages: Sequence[Stage], instead: Mapping[str, str]) -> Flat:
    """The graph with other stages, some results under other names."""
    results = {n: instead.get(t, t) for n, t in flat.results.items()}
    spec = replace(flat.spec, stages=tuple(stages), outputs=tuple(dict.fromkeys(results.values())))
    return replace(flat, spec=spec, results=results)


def key_of(stage: Stage) -> str:
    """A text that is the same for stages that compute the same bits."""
    names = {n: Index(f"#{place}") for place, n in enumerate(indices_of(stage))}
    own = {t.name: f"@{place}" for place, t in enumerate(stage.targets)}

    def canonical(scalar: Scalar) -> Scalar:
        if isinstance(scalar, Index):
            return names[scalar.name]
        inner = rebuilt(scalar, canonical)
        match inner:
            case Read(tensor) if tensor in own:
                return replace(inner, tensor=own[tensor])
            case Operation(operator, arguments) if operator in EITHER_WAY:
                return Operation(operator, tuple(sorted(arguments, key=format_scalar)))
            case _:
                return inner

    values = [format_scalar(canonical(v)) for v in stage.values]
    extents = [format_scalar(e) if e is not None else "" for e in indices_of(stage).values()]
    match stage.how:
        case None:
            how = "map"
        case Reduction(kind, over):
            how = f"{kind.value} {len(over)}"
        case Scan(index, backwards, starts):
            begun = [format_scalar(canonical(s)) for s in starts or ()]
            how = f"scan {names[index].name} {backwards} {begun}"
    return f"{how} {extents} {values}"


def live(flat: Flat) -> Flat:
    """The graph without stages that no result needs."""
    return retargeted(flat, finish.live(flat.spec).stages, {})
