"""Stages that a backward may reuse: `saved(m, s)` in a formula.

f = parse_spec("f", "m[i] = max(j) x[i, j]\\ny[i, j] = exp(x[i, j] - m[i])\\nsaved(m)")
keeping(f).outputs == ("y", "m")                    # a forward that also gives them
reusing(vjp(f), ("m",))                          # given x[i, j], d_y[i, j], m[i]: nothing computes m again
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from shaderdsl.spec.axes import indices_of, named_axis, sizes_in, written
from shaderdsl.spec.dtypes import stage_dtypes
from shaderdsl.spec.extents import extents_of, taken_names, unused
from shaderdsl.spec.notation import OpSpec, Scalar, Scan, Size, Stage, TensorInput
from shaderdsl.spec.rewrite import tensors


def keeping(spec: OpSpec) -> OpSpec:
    """`spec` that gives its saved stages too."""
    return replace(spec, outputs=tuple(dict.fromkeys((*spec.outputs, *spec.saved))), saved=())


def reusable(backward: OpSpec, forward: OpSpec) -> tuple[str, ...]:
    """The saved stages that a backward has a use for, in the order of the formula."""
    found = reusing(backward, forward.saved)
    return tuple(i.name for i in found.inputs[len(backward.inputs) :])


def reusing(backward: OpSpec, names: Collection[str]) -> OpSpec:
    """A backward that is given these stages of its forward; what only they needed is gone, and so is what it does not use."""
    taken, stages = cut(backward, names)
    if not taken:
        return backward
    types = stage_dtypes(backward)
    free = taken_names(backward)
    extents = extents_of(backward).tensors
    order = [t.name for s in backward.stages for t in s.targets if t.name in taken]
    given = tuple(
        TensorInput(n, tuple(axis_of(n, k, e, free) for k, e in enumerate(extents[n])), types[n]) for n in order
    )
    found = replace(backward, inputs=(*backward.inputs, *given), stages=stages)
    return found if sizes_known(found) else backward


def cut(backward: OpSpec, names: Collection[str]) -> tuple[set[str], tuple[Stage, ...]]:
    """The stages that are still needed, and the tensors that are given in place of others.

    A scan of several values is given whole, as far as somebody reads them, or computed again.
    """
    needed, taken, kept = set(backward.outputs), set[str](), list[Stage]()
    possible = set(names) - needed
    for stage in reversed(backward.stages):
        live = needed & {t.name for t in stage.targets}
        if live and live <= possible:
            taken |= live
        elif live:
            kept.append(stage)
            needed |= {n for s in scalars_of(stage) for n in tensors(s)}
    return taken, tuple(reversed(kept))


def scalars_of(stage: Stage) -> tuple[Scalar, ...]:
    return (*stage.values, *((stage.how.starts or ()) if isinstance(stage.how, Scan) else ()))


def axis_of(name: str, position: int, extent: Scalar, free: set[str]) -> str:
    """An axis as long as a named one has its name, any other one of its own."""
    return extent.name if isinstance(extent, Size) else unused(f"{name}_{position}", free)


def sizes_known(spec: OpSpec) -> bool:
    """Whether every `size(..)` still names an axis."""
    for number, stage in enumerate(spec.stages):
        own = indices_of(stage)
        for name in sizes_in(written(stage)):
            if name not in own and named_axis(spec.inputs, spec.stages[:number], name) is None:
                return False
    return True
