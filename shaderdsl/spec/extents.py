"""Extents as formulas: how long every axis of every tensor and every index of every stage is, in sizes of named axes.

An index takes the extent written for it, else that of the axis where it stands alone, else of the axis where it leads (`x[t - k]`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from shaderdsl.errors import InternalError
from shaderdsl.spec.axes import indices_of, lead_of
from shaderdsl.spec.notation import Index, OpSpec, Read, Reduction, Scalar, Scan, Size, Stage, TensorInput
from shaderdsl.spec.rewrite import mapped, subscalars


@dataclass(slots=True)
class Extents:
    """Axes of tensors by name. `named` is the first extent that each index name has in the spec."""

    tensors: dict[str, tuple[Scalar, ...]] = field(default_factory=dict[str, "tuple[Scalar, ...]"])
    named: dict[str, Scalar] = field(default_factory=dict[str, "Scalar"])

    def stage(self, stage: Stage) -> dict[str, Scalar]:
        """The extent of each index of a stage, those of its reduction last."""
        bounds = [*stage.targets[0].bounds]
        if isinstance(stage.how, Reduction):
            bounds += stage.how.over
        return {b.name: self.extent(b.name, b.extent, stage) for b in bounds}

    def extent(self, name: str, written: Scalar | None, stage: Stage) -> Scalar:
        if written is not None:
            return mapped(written, self.outer)
        found = self.alone(name, stage) or self.leading(name, stage)
        if found is None:
            raise InternalError(f"index {name} has no extent")
        return found

    def outer(self, scalar: Scalar) -> Scalar | None:
        return self.named.get(scalar.name, scalar) if isinstance(scalar, Size) else None

    def axes_read(self, stage: Stage) -> list[tuple[Scalar, Scalar]]:
        """Every index expression in the stage's reads, with the extent of the axis it stands on; not the stage's reads of itself."""
        own = {t.name for t in stage.targets}
        starts = (stage.how.starts or ()) if isinstance(stage.how, Scan) else ()
        found: list[tuple[Scalar, Scalar]] = []
        for value in (*stage.values, *starts):
            for part in subscalars(value):
                if isinstance(part, Read) and part.tensor not in own:
                    found += zip(part.indices, self.tensors[part.tensor])
        return found

    def every(self, name: str, stage: Stage) -> list[Scalar]:
        """The extents of all axes where an index stands alone."""
        return [extent for index, extent in self.axes_read(stage) if index == Index(name)]

    def alone(self, name: str, stage: Stage) -> Scalar | None:
        return next(iter(self.every(name, stage)), None)

    def leading(self, name: str, stage: Stage) -> Scalar | None:
        """The first axis whose index expression `name` leads."""
        return next((extent for index, extent in self.axes_read(stage) if lead_of(index) == name), None)


def extents_of(spec: OpSpec) -> Extents:
    """The extents of a whole spec, whose inputs have an axis name each."""
    result = Extents()
    for given in spec.inputs:
        if isinstance(given, TensorInput):
            if None in given.axes:
                raise InternalError(f"an axis of {given.name} has no name")
            result.tensors[given.name] = tuple(Size(a) for a in given.axes if a is not None)
            for axis in given.axes:
                if axis is not None:
                    result.named.setdefault(axis, Size(axis))
    for stage in spec.stages:
        bounds = result.stage(stage)
        for target in stage.targets:
            result.tensors[target.name] = tuple(bounds[b.name] for b in target.bounds)
        for name, extent in bounds.items():
            result.named.setdefault(name, extent)
    return result


def unused(wanted: str, taken: set[str]) -> str:
    """`wanted`, with a suffix where it is taken; it is taken from then on."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}{number}"
    taken.add(name)
    return name


def taken_names(spec: OpSpec) -> set[str]:
    """Every name that a new stage may not take: inputs, stages and indices."""
    indices = {n for s in spec.stages for n in indices_of(s)}
    return {i.name for i in spec.inputs} | {t.name for s in spec.stages for t in s.targets} | indices
