"""Reverse mode over a spec: `vjp(spec)` is again a spec, so it runs, prints, compiles and derives like any other.

    y[i] = sum(j) w[i, j] * x[j]      gives      d_w[i, j] = d_y[i] * x[j]      d_x[j] = sum(i) d_y[i] * w[i, j]

Stages are visited in reverse. What several stages contribute to one tensor is added. `tidy` then names, cancels and reuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shaderdsl.errors import SpecError
from shaderdsl.spec.adjoint import Adjoint, Contribution, adjoint, gradient_name
from shaderdsl.spec.aliases import unaliased
from shaderdsl.spec.blame import at_stage
from shaderdsl.spec.casts import without_casts
from shaderdsl.spec.conditions import decided
from shaderdsl.spec.dtypes import differentiable
from shaderdsl.spec.equal_axes import with_axis_names
from shaderdsl.spec.extents import Extents, extents_of, taken_names, unused
from shaderdsl.spec.fills import chosen_fills
from shaderdsl.spec.finish import with_float_outputs
from shaderdsl.spec.notation import (
    Bound,
    Dtype,
    Index,
    Number,
    Operation,
    Operator,
    OpSpec,
    Read,
    Reduction,
    ReductionKind,
    Scalar,
    Scan,
    Size,
    Stage,
    Target,
    TensorInput,
)
from shaderdsl.spec.rewrite import retargeted, tensors
from shaderdsl.spec.scans import adjoint_of_scan
from shaderdsl.spec.terms import with_terms
from shaderdsl.spec.tidy import tidy


def vjp(spec: OpSpec, wrt: Sequence[str] | None = None) -> OpSpec:
    """Gradients of `spec` for the inputs `wrt`, all float inputs if None, given the gradients `d_y` of its outputs."""
    spec = without_casts(with_axis_names(spec))
    check_gradient_names(spec)
    chosen = differentiable(spec) if wrt is None else checked(spec, wrt)
    active = reached(spec, chosen)
    named = with_terms(chosen_fills(spec, active), active)
    count = len(named.spec.stages)
    found = named.rejoined(tidy(decided(unaliased(raw_vjp(named.spec, chosen), count), count), named.spec))
    return with_float_outputs(found)


def raw_vjp(spec: OpSpec, chosen: Sequence[str]) -> OpSpec:
    """The derivation before anything is made shorter: the forward stages, then one adjoint after the other."""
    active = reached(spec, chosen)
    extents = extents_of(spec)
    keys = {name: key_names(name, spec) for name in extents.tensors}
    gains: dict[str, list[Contribution]] = {}
    taken = taken_names(spec) | {gradient_name(o) for o in spec.outputs}

    def outer(name: str) -> str:
        """The tensor with the whole gradient of `name`: the caller's, unless later stages add to it; no other tensor's name."""
        if name in spec.outputs and not gains.get(name):
            return gradient_name(name)
        wanted = f"d_{name}_total" if name in spec.outputs else gradient_name(name)
        while wanted in taken:
            wanted += "_"
        return wanted

    stages: list[Stage] = []
    for stage in reversed(spec.stages):
        names = [t.name for t in stage.targets]
        if not any(n in active and (n in spec.outputs or gains.get(n)) for n in names):
            continue
        for name in names:
            stages += gathered(name, gains.get(name, []), keys, extents, outer(name), seed=name in spec.outputs)
        bounds = extents.stage(stage)
        derived = adjoint_of_scan if isinstance(stage.how, Scan) else adjoint
        with at_stage(stage):
            found = derived(stage, bounds, extents.tensors, active, keys, outer)
        found = with_fresh_names(found, taken)
        stages += found.helpers
        for gain in found.contributions:
            gains.setdefault(gain.tensor, []).append(gain)
    for name in chosen:
        stages += gathered(name, gains.get(name, []), keys, extents, outer(name), seed=name in spec.outputs)
    given = tuple(incoming(name, keys[name], extents, taken) for name in spec.outputs)
    outputs = tuple(outer(name) for name in chosen)
    return OpSpec(f"{spec.name}.vjp", (*spec.inputs, *given), (*spec.stages, *stages), outputs)


def check_gradient_names(spec: OpSpec) -> None:
    """The gradient of an output is passed by its name, which no input and no stage may have."""
    given = {i.name for i in spec.inputs}
    stages = {t.name for s in spec.stages for t in s.targets}
    for name in spec.outputs:
        if gradient_name(name) in stages:
            raise SpecError(
                f"{spec.name} has a stage {gradient_name(name)}, the name of the gradient of {name}",
                hints=["give the stage another name"],
            )
        if gradient_name(name) in given:
            raise SpecError(
                f"{spec.name} has an input {gradient_name(name)}, the name of the gradient of {name}",
                hints=["give the input another name"],
            )


def incoming(name: str, keys: tuple[str, ...], extents: Extents, taken: set[str]) -> TensorInput:
    """The gradient of an output as an input: an axis that is as long as a named one has its name, any other one of its own."""
    axes = [
        extent.name if isinstance(extent, Size) else unused(f"{key}_{name}", taken)
        for key, extent in zip(keys, extents.tensors[name])
    ]
    return TensorInput(gradient_name(name), tuple(axes), Dtype.F32)


def with_fresh_names(found: Adjoint, taken: set[str]) -> Adjoint:
    """An adjoint whose helper stages have names that nothing else has."""
    names = {t.name: unused(t.name, taken) for s in found.helpers for t in s.targets}
    if all(old == new for old, new in names.items()):
        return found

    helpers = tuple(
        replace(
            s,
            targets=tuple(replace(t, name=names[t.name]) for t in s.targets),
            values=tuple(retargeted(v, names) for v in s.values),
        )
        for s in found.helpers
    )
    return Adjoint(tuple(replace(c, value=retargeted(c.value, names)) for c in found.contributions), helpers)


def checked(spec: OpSpec, wrt: Sequence[str]) -> list[str]:
    """The inputs asked for, each of which must be a float tensor."""
    possible = differentiable(spec)
    for name in wrt:
        if name not in possible:
            raise SpecError(
                f"{spec.name} has no gradient for {name}", hints=[f"its float inputs are {', '.join(possible)}"]
            )
    return list(wrt)


def reached(spec: OpSpec, chosen: Sequence[str]) -> frozenset[str]:
    """Tensors through which a gradient flows: the chosen inputs and every float stage that reads one."""
    active = set(chosen)
    for stage in spec.stages:
        if any(tensors(v) & active for v in stage.values) or (
            isinstance(stage.how, Scan) and starts_active(stage.how, active)
        ):
            active |= {t.name for t in stage.targets}
    return frozenset(active)


def starts_active(how: Scan, active: set[str]) -> bool:
    return any(tensors(s) & active for s in how.starts or ())


def key_names(name: str, spec: OpSpec) -> tuple[str, ...]:
    """The names of a tensor's indices in derived stages: its own, where they differ from one another."""
    stage = spec.stage_of(name)
    if stage is not None:
        return tuple(b.name for b in next(t for t in stage.targets if t.name == name).bounds)
    given = next(i for i in spec.inputs if isinstance(i, TensorInput) and i.name == name)
    taken: set[str] = set()
    return tuple(unused(axis or "i", taken) for axis in given.axes)


def gathered(
    name: str,
    gains: Sequence[Contribution],
    keys: dict[str, tuple[str, ...]],
    extents: Extents,
    total: str,
    *,
    seed: bool,
) -> list[Stage]:
    """Stages that add up what a tensor gains; nothing where it is an output that nothing else reads."""
    if seed and not gains:
        return []
    bounds = tuple(Bound(k, e) for k, e in zip(keys[name], extents.tensors[name]))
    parts: list[Scalar] = [Read(gradient_name(name), tuple(Index(k) for k in keys[name]))] if seed else []
    stages: list[Stage] = []
    sums = [g for g in gains if g.over]
    if len(sums) == 1 and len(gains) == 1 and not seed:
        only = sums[0]
        return [Stage((Target(total, bounds),), Reduction(ReductionKind.SUM, only.over), (only.value,))]
    for number, gain in enumerate(gains):
        if not gain.over:
            parts.append(gain.value)
            continue
        part = f"{total}_{number}"
        stages.append(Stage((Target(part, bounds),), Reduction(ReductionKind.SUM, gain.over), (gain.value,)))
        parts.append(Read(part, tuple(Index(k) for k in keys[name])))
    value: Scalar = parts[0] if parts else Number(0)
    for part in parts[1:]:
        value = Operation(Operator.ADD, (value, part))
    return [*stages, Stage((Target(total, bounds),), None, (value,))]
