"""The function whose plain derivative is the stated one: what `stop_gradient` and `straight_through` hold fast is taken at the base point.

    moving = held(spec)                             # y[i] = stop_gradient(x[i]) * x[i]   becomes   y[i] = base_x[i] * x[i]
    evaluate(moving.spec, moving.at(arguments))     # inputs that are named `base_x` stay where differences start

`straight_through(f, as=g)` becomes f + g - g, the first two at the base point. A spec that has neither is itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from shaderdsl.spec.extents import unused
from shaderdsl.spec.notation import (
    Dtype,
    Function,
    Operation,
    Operator,
    OpSpec,
    Read,
    Scalar,
    Scan,
    Stage,
    TensorInput,
)
from shaderdsl.spec.rewrite import mapped, rebuilt, subscalars, with_scalars

CONVENTIONS = ("stop_gradient", "straight_through")
Rewrite = Callable[[Scalar], Scalar]


@dataclass(frozen=True, slots=True)
class Held:
    """A spec and, for each float input, the name of the input that holds its base point."""

    spec: OpSpec
    base: Mapping[str, str]

    def at(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments with the base point where they are."""
        return {**arguments, **{name: arguments[own] for own, name in self.base.items()}}


def held(spec: OpSpec) -> Held:
    """What differences are taken of, instead of `spec`."""
    if not any(is_convention(s) for stage in spec.stages for v in scalars_of(stage) for s in subscalars(v)):
        return Held(spec, {})
    floats = [i for i in spec.inputs if isinstance(i, TensorInput) and i.dtype is Dtype.F32]
    made = [t.name for s in spec.stages for t in s.targets]
    taken = {i.name for i in spec.inputs} | set(made)
    names = {name: unused(f"base_{name}", taken) for name in [*(i.name for i in floats), *made]}
    stages = [changed(s, lambda v: renamed(v, names), names) for s in spec.stages]
    stages += [moving(s, names) for s in spec.stages]
    base = {i.name: names[i.name] for i in floats}
    inputs = (*spec.inputs, *(replace(i, name=base[i.name]) for i in floats))
    return Held(replace(spec, inputs=inputs, stages=tuple(stages)), base)


def is_convention(scalar: Scalar) -> bool:
    return isinstance(scalar, Function) and scalar.name in CONVENTIONS


def scalars_of(stage: Stage) -> tuple[Scalar, ...]:
    starts = (stage.how.starts or ()) if isinstance(stage.how, Scan) else ()
    return (*stage.values, *starts)


def renamed(scalar: Scalar, names: Mapping[str, str]) -> Scalar:
    """A scalar that reads tensors of other names."""
    inner = rebuilt(scalar, lambda part: renamed(part, names))
    return replace(inner, tensor=names.get(inner.tensor, inner.tensor)) if isinstance(inner, Read) else inner


def changed(stage: Stage, rewrite: Rewrite, names: Mapping[str, str] | None = None) -> Stage:
    """A stage with its values rewritten and, if asked, its targets renamed."""
    targets = tuple(replace(t, name=names[t.name]) for t in stage.targets) if names else stage.targets
    return with_scalars(replace(stage, targets=targets), rewrite)


def moving(stage: Stage, names: Mapping[str, str]) -> Stage:
    """A stage in which what is held fast reads the base point."""
    carried = {t.name for t in stage.targets}
    starts = dict(zip([t.name for t in stage.targets], stage.how.starts or ())) if isinstance(stage.how, Scan) else {}

    def at_base(scalar: Scalar) -> Scalar:
        """The scalar at the base point; what a scan carries is read from the finished stage, before it the start."""

        def filled(part: Scalar) -> Scalar | None:
            if isinstance(part, Read) and part.tensor in carried and part.tensor in starts:
                return replace(part, fill=starts[part.tensor])
            return None

        return renamed(mapped(scalar, filled), names)

    def fast(scalar: Scalar) -> Scalar:
        match scalar:
            case Function("stop_gradient", (value,)):
                return at_base(value)
            case Function("straight_through", (value, instead)):
                moved = Operation(Operator.SUB, (fast(instead), at_base(instead)))
                return Operation(Operator.ADD, (at_base(value), moved))
            case _:
                return rebuilt(scalar, fast)

    return changed(stage, fast)
