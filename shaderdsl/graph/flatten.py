"""A graph as one spec: the stages of all calls under names of their own, over the graph's inputs.

flat = flatten({"y": y, "d_w": d_w})        # flat.spec runs as any formula, and prints as one
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from shaderdsl.graph.tensor import Call, Leaf, Tensor, calls_of
from shaderdsl.source import Loc
from shaderdsl.spec.concrete import with_parameters
from shaderdsl.spec.dtypes import stage_dtypes
from shaderdsl.spec.inline import renamed_stage
from shaderdsl.spec.notation import Dtype, Input, OpSpec, Parameter, Scalar, ScalarInput, Stage, TensorInput
from shaderdsl.spec.shapes import Shape


@dataclass(frozen=True, slots=True)
class Flat:
    """A concrete spec with the shapes and types of all its tensors. results: the output that each result of the graph is.

    constants: inputs whose array is known. origins: the op that each stage came from. lines: where the user called it. notes: what is computed
    otherwise than written.
    """

    spec: OpSpec
    shapes: Mapping[str, Shape]
    dtypes: Mapping[str, Dtype]
    results: Mapping[str, str]
    constants: Mapping[str, Any]
    origins: Mapping[str, str]
    lines: Mapping[str, Loc | None]
    notes: Mapping[str, str] = field(default_factory=dict[str, str])


OF_SCHEDULES = ("_parts", "_undivided")
"""Endings of what a schedule adds."""


@dataclass(slots=True)
class Names:
    """Names in use, and the last number that each was given."""

    taken: dict[str, int]

    def fresh(self, wanted: str) -> str:
        """The name, or one like it that is free; what ends as the schedules' own tensors do gets a `_`."""
        wanted = f"{wanted}_" if wanted.endswith(OF_SCHEDULES) else wanted
        number = self.taken.get(wanted, 0) + 1
        self.taken[wanted] = number
        if number == 1:
            return wanted
        found = f"{wanted}_{number}"
        return self.fresh(found) if found in self.taken else self.mark(found)

    def mark(self, name: str) -> str:
        self.taken[name] = 1
        return name


def flatten(results: Mapping[str, Tensor], scalars: Mapping[str, Dtype]) -> Flat:
    """The graph of some tensors. scalars: the numbers that a plan is called with."""
    calls = calls_of(results.values())
    names = Names(dict.fromkeys((*RESERVED, *scalars), 1))
    known: dict[tuple[Call | Leaf, str], str] = {}
    inputs: list[Input] = []
    shapes: dict[str, Shape] = {}
    constants: dict[str, Any] = {}
    for leaf in sorted(
        leaves_of(calls, results), key=is_constant
    ):  # arguments keep the names that a call finds them by
        source = leaf.source
        if (source, "") in known or not isinstance(source, Leaf):
            continue
        name = known[source, ""] = names.fresh(source.name)
        inputs.append(TensorInput(name, tuple(f"{name}_{p}" for p in range(leaf.ndim)), leaf.kind))
        shapes[name] = leaf.shape
        if source.data is not None:
            constants[name] = source.data
    stages: list[Stage] = []
    origins: dict[str, str] = {}
    lines: dict[str, Loc | None] = {}
    for call in calls:
        own = names_of(call, known, names)
        for stage in call.concrete.spec.stages:
            stages.append(placed(stage, own, call.scalars))
        for name in (t.name for s in call.concrete.spec.stages for t in s.targets):
            shapes[own[name]] = call.concrete.shapes[name]
            origins[own[name]] = call.operation.name
            lines[own[name]] = call.loc
    found = {n: known[t.source, t.output] for n, t in results.items()}
    numbers = [ScalarInput(n, d) for n, d in scalars.items()]
    spec = OpSpec("graph", (*inputs, *numbers), tuple(stages), tuple(dict.fromkeys(found.values())))
    return Flat(spec, shapes, stage_dtypes(spec), found, constants, origins, lines)


RESERVED = ("size", "sum", "prod", "mean", "scan", "max", "min", "given", "out", "saved")


def is_constant(leaf: Tensor) -> bool:
    return isinstance(leaf.source, Leaf) and leaf.source.data is not None


def leaves_of(calls: list[Call], results: Mapping[str, Tensor]) -> Iterator[Tensor]:
    """The tensors that are given, in the order in which they are first used."""
    for tensor in (*(t for c in calls for t in c.tensors.values()), *results.values()):
        if isinstance(tensor.source, Leaf):
            yield tensor


def names_of(call: Call, known: dict[tuple[Call | Leaf, str], str], names: Names) -> dict[str, str]:
    """The names in the graph of all tensors of a call's spec."""
    spec = call.concrete.spec
    own = {n: known[t.source, t.output] for n, t in call.tensors.items()}
    word = call.operation.name.replace(".", "_")
    for target in (t.name for s in spec.stages for t in s.targets):
        only = (target,) == spec.outputs
        own[target] = names.fresh(word if only else f"{word}_{target}")
        if target in spec.outputs:
            known[call, target] = own[target]
    return own


def placed(stage: Stage, own: Mapping[str, str], scalars: Mapping[str, Scalar]) -> Stage:
    """A call's stage among the graph's: its tensors by their names there, then its parameters as the caller's expressions."""
    kept: dict[str, str | Scalar] = {**own, **{p: Parameter(p) for p in scalars}}
    return replace(with_parameters(renamed_stage(stage, kept), scalars), span=None)
