"""The evidence for a backward: complex steps, central differences, forward mode, hostile float32, and wrong backwards caught.

report = examine(parse_spec("softmax", formula), Hints())
report.ok, str(report)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from shaderdsl.spec.derive import differentiable, vjp
from shaderdsl.spec.forward import jvp
from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.conventions import Held, held
from shaderdsl.testing.domains import points_within
from shaderdsl.testing.extremes import Trial, trials
from shaderdsl.testing.identities import identity_check
from shaderdsl.testing.mutations import KINDS, Mutant, mutants
from shaderdsl.testing.points import Point, gradients, points, worst
from shaderdsl.testing.proofs import equivalent
from shaderdsl.testing.report import Check, Kills, Report
from shaderdsl.testing.samples import Array, Hints
from shaderdsl.testing.saved_stages import saved_check

STEPS = (2.0**-13, 2.0**-10, 2.0**-16, 2.0**-19)
NEAR = 1e-6
ADJOINT = 1e-10
EXTREMES = (0.0, 1e-30, -1e-30, 20.0, -20.0, 88.0, -88.0, 89.0, -89.0, 1e4, -1e4)


def examine(
    spec: OpSpec,
    hints: Hints,
    backward: OpSpec | None = None,
    seed: int = 0,
    fixed: Mapping[str, Any] | None = None,
    mutate: bool = True,
) -> Report:
    """All checks of a backward, the derived one if None. `spec` has no leading axes; `fixed` arguments are not drawn."""
    right = backward if backward is not None else vjp(spec)
    found = every_point(spec, hints, seed, fixed)
    plain = found[: len(found) - bool(hints.tied)]
    checks = [
        complex_step(found, right),
        central(spec, plain, right, seed),
        adjoint(spec, plain, right, seed),
        hostile(spec, plain, right, hints),
    ]
    kept = saved_check(spec, right, found) if backward is None else None
    checks += [kept] if kept is not None else []
    checks += [identity_check(name, spec, right, hints) for name in hints.identities]
    kills = kill_matrix(spec, right, found, hints) if mutate else ()
    return Report(spec.name, format_spec(spec), format_spec(right), tuple(checks), kills)


def every_point(spec: OpSpec, hints: Hints, seed: int, fixed: Mapping[str, Any] | None) -> list[Point]:
    """Where a backward is tried: as the hints say, else where the formula has a derivative."""
    if hints.guessed and not all(i.name in (fixed or {}) for i in spec.inputs):
        return points_within(spec, hints, seed, fixed)
    return list(points(spec, hints, seed, fixed))


def complex_step(found: Iterable[Point], backward: OpSpec) -> Check:
    """The largest error in tolerances, which come from the conditioning at each point."""
    return Check("complex step", max(worst(p, backward) for p in found), 1.0, "the gradient is not the derivative")


def central(spec: OpSpec, found: Sequence[Point], backward: OpSpec, seed: int) -> Check:
    """Along random directions, where steps of two lengths show that no kink is near."""
    random = np.random.default_rng((seed, 1))
    moving = held(spec)
    errors = [e for p in found for _ in range(3) if (e := slope_error(moving, p, backward, random)) is not None]
    figure = max(errors, default=float("inf"))
    return Check("central differences", figure, NEAR, "the gradient is not the slope")


def slope_error(moving: Held, point: Point, backward: OpSpec, random: np.random.Generator) -> float | None:
    """The relative error along one direction, still where a kink is; None where the differences are themselves worse than that at every step."""
    ways = {n: random.normal(size=np.shape(point.arguments[n])) for n in point.truths}
    for name, true in point.truths.items():
        ways[name].reshape(-1)[list(true.kinks)] = 0.0
    found = gradients(point, backward)
    slope = sum(float((found[n] * w).sum()) for n, w in ways.items())
    scale = sum(float(np.abs(found[n] * w).sum()) for n, w in ways.items())
    size = size_of(moving.spec, moving.at(point.arguments), point.weights)
    for step in STEPS:
        far, near, nearest = (difference(moving, point, ways, s) for s in (2 * step, step, step / 2))
        best, other = (4 * nearest - near) / 3, (4 * near - far) / 3
        rounding = 8 * np.finfo(np.float64).eps * size / step
        doubt = abs(best - other) + rounding
        # A gradient that is smaller than differences can see is held to what they see.
        measure = max(scale, abs(best), rounding / NEAR, 1e-9)
        if doubt <= NEAR * measure or abs(best - slope) > 10 * doubt:
            return abs(best - slope) / measure
    return None


def size_of(spec: OpSpec, arguments: Mapping[str, Any], weights: Mapping[str, Array]) -> float:
    values = evaluate(spec, arguments)
    return sum(float(np.abs(values[o] * w).sum()) for o, w in weights.items())


def difference(moving: Held, point: Point, ways: Mapping[str, Array], step: float) -> float:
    start = moving.at(point.arguments)
    sides = [
        evaluate(moving.spec, {**start, **{n: point.arguments[n] + s * w for n, w in ways.items()}})
        for s in (step, -step)
    ]
    return sum(float(((sides[0][o] - sides[1][o]) * w).sum()) for o, w in point.weights.items()) / (2 * step)


def adjoint(spec: OpSpec, found: Iterable[Point], backward: OpSpec, seed: int) -> Check:
    """<w, J v> = <J' w, v>, with forward mode's J."""
    forward = jvp(spec)
    random = np.random.default_rng((seed, 2))
    worst_of = 0.0
    for point in found:
        ways = {n: random.normal(size=np.shape(point.arguments[n])) for n in point.truths}
        tangents = evaluate(forward, {**point.arguments, **{f"t_{n}": w for n, w in ways.items()}})
        pairs = [(tangents[f"t_{o}"], w) for o, w in point.weights.items() if f"t_{o}" in forward.outputs]
        back = gradients(point, backward)
        left = sum(float((t * w).sum()) for t, w in pairs)
        right = sum(float((back[n] * w).sum()) for n, w in ways.items())
        scale = max(sum(float(np.abs(back[n] * w).sum()) for n, w in ways.items()), unit_of(point, ways))
        error = abs(left - right) / scale
        worst_of = max(worst_of, error if error == error else float("inf"))
    return Check("adjoint identity", worst_of, ADJOINT, "forward and reverse mode differ")


def unit_of(point: Point, ways: Mapping[str, Array]) -> float:
    """What counts as nothing in a product of weights and directions: gradients may be 0 but for rounding."""
    sizes = [
        max((float(np.max(np.abs(a), initial=0.0)) for a in of.values()), default=0.0) for of in (point.weights, ways)
    ]
    return max(1e-3 * sizes[0] * sizes[1], 1e-300)


def hostile(spec: OpSpec, found: Iterable[Point], backward: OpSpec, hints: Hints) -> Check:
    """Hostile numbers in float32: each gradient is finite wherever the exact one is a float32, with a right leading digit."""
    last = list(found)[-1]
    worst_of = 0.0
    if hints.guessed:
        names = differentiable(spec)
        figures = [t.excess(float32_gradients(backward, t, names)) for t in trials(spec, vjp(spec), last, names)]
        return Check("hostile float32", max(figures, default=0.0), 1.0, "a gradient is not finite, or wrong")
    for name in differentiable(spec):
        most = hints.within.get(name, float("inf"))
        for shift in range(len(EXTREMES)):
            numbers = np.clip(np.roll(EXTREMES, shift), None, most)
            worst_of = max(worst_of, hostile_error(last, backward, name, numbers))
    return Check("hostile float32", worst_of, hints.single, "a gradient is not finite, or wrong")


def float32_gradients(backward: OpSpec, trial: Trial, names: Sequence[str]) -> dict[str, Array]:
    """A backward in float32, by input."""
    found = {**trial.arguments, **evaluate(backward, trial.arguments, np.float32)}
    return {n: np.asarray(found[o]) for n, o in zip(names, backward.outputs)}


def hostile_error(point: Point, backward: OpSpec, name: str, numbers: Array) -> float:
    """With one input filled by extremes in turn; relative to the largest of the exact gradient, which
    may cancel what comes in down to nothing."""
    size = np.size(point.arguments[name])
    filled = np.resize(numbers, size).reshape(np.shape(point.arguments[name])).astype(np.float32)
    incoming = {f"d_{o}": w for o, w in point.weights.items()}
    arguments = {**point.arguments, name: filled.astype(np.float64), **incoming}
    exact, single = evaluate(backward, arguments), evaluate(backward, arguments, np.float32)
    given = {**arguments, **exact}
    most = max(float(np.max(np.abs(w), initial=0.0)) for w in point.weights.values())
    error = 0.0
    for output in backward.outputs:
        true, got = np.asarray(given[output]), np.asarray({**arguments, **single}[output])
        held = np.isfinite(true) & (np.abs(true) < np.finfo(np.float32).max / 16)
        if held.any():
            found = np.abs(got[held] - true[held]) / max(float(np.max(np.abs(true[held]))), 1e-2 * most)
            error = max(error, float(np.max(np.where(np.isfinite(found), found, np.inf))))
    return error


def kill_matrix(spec: OpSpec, backward: OpSpec, found: Sequence[Point], hints: Hints) -> tuple[Kills, ...]:
    """Every kind that applies: mutants caught at some point, or proved to be the same backward."""
    by_kind: dict[str, list[Mutant]] = {kind: [] for kind in KINDS}
    for mutant in mutants(spec, backward):
        by_kind[mutant.kind].append(mutant)
    return tuple(killed(kind, list(every), spec, backward, found, hints) for kind, every in by_kind.items() if every)


def killed(
    kind: str, every: list[Mutant], spec: OpSpec, backward: OpSpec, found: Sequence[Point], hints: Hints
) -> Kills:
    left = [m for m in every if not caught(m, found)]
    settled = [(m.where, equivalent(spec, backward, m.spec, hints)) for m in left]
    proved, survivors = (tuple(where for where, same in settled if same is wanted) for wanted in (True, False))
    same = len(proved)
    caught_count = len(every) - len(left)
    if hints.guessed:  # that drawn points do not tell two formulas apart is no fault of the backward
        return Kills(kind, len(every), caught_count, same, unsettled=len(survivors), proved=proved)
    return Kills(kind, len(every), caught_count, same, survivors, proved=proved)


def caught(mutant: Mutant, found: Iterable[Point]) -> bool:
    return any(worst(p, mutant.spec) > 1 for p in found)
