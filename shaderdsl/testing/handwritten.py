"""A backward that somebody wrote, as a function, a kernel or an op, held to the derived one.

function_checks(spec, derived, found, hints, 0, {}, backward)

At small points against complex steps; at long axes of each kind, at numbers of other sizes and at hostile ones against the derived
backward in float64; and twice, for the same bits. What its float32 may be off comes from the derived bounds.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import numpy as np

from shaderdsl.errors import LaunchError, ShaderError
from shaderdsl.spec.notation import OpSpec, TensorInput
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.devices import single
from shaderdsl.testing.domains import points_within
from shaderdsl.testing.extremes import SPARE, trials
from shaderdsl.testing.faults import Fault, worst_of
from shaderdsl.testing.kinks import has_kinks, tied_arguments
from shaderdsl.testing.points import Point
from shaderdsl.testing.report import Check
from shaderdsl.testing.rounding import bounds_of
from shaderdsl.testing.samples import Array, Hints, axis_sizes
from shaderdsl.testing.saved_stages import saved_values

Backward = Callable[..., Any]
Looked: TypeAlias = tuple[Check, list[Fault], int]
"""A check, the faults that it met, and how many arrays had other bits the second time."""
EXACT, SINGLE = 1e-7, 1e-6
"""What a gradient may be off, relative to its largest entry, in float64 and, besides what its bounds allow, in float32."""
LONG = (16, 33, 100, 257, 600)
SHORT = (2, 3, 2, 1, 3)
MOST_CELLS = 1 << 21
SCALES = (1e-3, 30.0)
SATURATED = 2.0**-20
"""1 - tanh(x) ** 2 and its like round to nothing where x is large."""
FAULTS = (ValueError, TypeError, IndexError, KeyError, ArithmeticError)
"""What a wrong backward raises: shapes that do not fit, most of all."""


@dataclass(slots=True)
class Worst:
    """The largest figure of a check, what was seen there, and every gradient's faults."""

    figure: float = 0.0
    detail: str = ""
    faults: list[Fault] = field(default_factory=list[Fault])

    def take(self, figure: float, detail: str) -> None:
        figure = figure if figure == figure else float("inf")
        if figure > self.figure:
            self.figure, self.detail = figure, detail

    def note(self, fault: Fault) -> None:
        self.take(fault.share, f"{fault.gradient} is wrong for shapes {fault.shapes}: {fault.where}")
        self.faults = list(worst_of([*self.faults, fault]))


@dataclass(frozen=True, slots=True)
class Given:
    """Arguments and incoming gradients, with the true gradients and what each element may be off in float32; NaN: not known there."""

    arguments: Mapping[str, Any]
    weights: Mapping[str, Array]
    truths: Mapping[str, Array]
    allowed: Mapping[str, Array]
    exact: float = EXACT

    @property
    def shapes(self) -> str:
        return ", ".join(f"{n} {np.shape(v)}" for n, v in self.arguments.items() if np.ndim(v))


@dataclass(slots=True)
class Held:
    """A backward under examination: what it is called with, and how often it refused."""

    backward: Backward
    names: Sequence[str]
    device: str | None = None
    spec: OpSpec | None = None
    """The formula, whose saved stages a backward may take by name."""
    refusals: list[ShaderError] = field(default_factory=list[ShaderError])
    calls: int = 0

    def gradients(self, given: Given, number: Callable[[Any], Any] = single) -> dict[str, Array] | str | None:
        """By input name; what it raised, as text; None where it refuses such arguments. number: how it is given a number."""
        incoming = {f"d_{o}": w for o, w in given.weights.items()}
        arguments = {n: number(a) for n, a in {**given.arguments, **incoming, **self.saved(given)}.items()}
        try:
            found = self.backward(**self.taken(arguments))
        except ShaderError as error:
            self.refusals.append(error)
            return None
        except FAULTS as error:
            return f"{type(error).__name__}: {error}"
        self.calls += 1
        return by_input(found, self.names)

    def called(self, arguments: dict[str, Any]) -> dict[str, Array]:
        """The gradients for some arguments, by input name."""
        return by_input(self.backward(**self.taken(arguments)), self.names)

    def saved(self, given: Given) -> dict[str, Any]:
        """The saved stages that the backward names."""
        if self.spec is None or not self.spec.saved:
            return {}
        wanted = parameter_names(self.backward)
        return {n: a for n, a in saved_values(self.spec, given.arguments).items() if n in wanted}

    def taken(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Kernels and ops take what they name, and a device."""
        known = known_names(self.backward)
        if known is None:
            return arguments
        own = {n: a for n, a in arguments.items() if n in known}
        return own if self.device is None else {**own, "device": self.device}


def known_names(backward: Any) -> set[str] | None:
    """The arguments of a kernel or an op; None for a function."""
    signature = getattr(backward, "signature", None)
    if signature is not None and hasattr(signature, "parameters"):
        return {p.name for p in signature.parameters}
    return set(backward.inputs) if hasattr(backward, "inputs") else None


def parameter_names(backward: Any) -> set[str]:
    """The names that a kernel, an op or a function takes."""
    known = known_names(backward)
    return set(inspect.signature(backward).parameters) if known is None else known


def by_input(found: Any, names: Sequence[str]) -> dict[str, Array]:
    """What a backward returns, by input name."""
    if isinstance(found, Mapping):
        results = cast("Mapping[str, Any]", found)
        missing = next((n for n in names if n not in results and f"d_{n}" not in results), None)
        if missing is not None:
            raise LaunchError(
                f"the backward returns no gradient of {missing}",
                hints=[f"return one by the name {missing} or d_{missing}"],
            )
        known = {*names, *(f"d_{n}" for n in names)}
        extra = next((n for n in results if n not in known), None)
        if extra is not None:
            raise LaunchError(
                f"the backward returns a gradient {extra}, which is of no float input",
                hints=[f"return those of {', '.join(names)} alone"],
            )
        return {n: np.asarray(results[n] if n in results else results[f"d_{n}"]) for n in names}
    listed = cast("Sequence[Any]", found) if isinstance(found, tuple | list) else [found]
    if len(listed) != len(names):
        raise LaunchError(
            f"the backward returns {len(listed)} of {len(names)} gradients", hints=[f"return {', '.join(names)}"]
        )
    return {n: np.asarray(a) for n, a in zip(names, listed)}


def function_checks(
    spec: OpSpec,
    derived: OpSpec | None,
    found: Sequence[Point],
    hints: Hints,
    seed: int,
    fixed: Mapping[str, Any],
    held: Held,
) -> tuple[list[Check], tuple[Fault, ...]]:
    """All checks, and the worst element of each gradient."""
    checks = [checked("gradients of the function", held, (from_point(p, derived) for p in found), twice=True)]
    if known_names(held.backward) is None:
        checks.append(wide(held, found))
    if derived is not None:
        if has_kinks(spec):
            checks.append(checked("at ties and kinks", held, tied_points(spec, derived, hints, seed, fixed)))
        checks.append(checked("at other sizes", held, long_points(spec, derived, hints, seed, fixed)))
        checks.append(checked("at small and large numbers", held, scaled_points(spec, derived, found, fixed)))
        checks.append(hostile(spec, derived, found, held, fixed))
    if not held.calls and held.refusals:
        raise held.refusals[0]
    same = Check("the same twice", float(checks[0][2]), 0.0, "two calls give different bits")
    return [*(c for c, _, _ in checks), same], worst_of(f for _, faults, _ in checks for f in faults)


def checked(name: str, held: Held, found: Iterator[Given], *, twice: bool = False) -> Looked:
    """One check over some arguments."""
    worst, differing = Worst(), 0
    for given in found:
        got = held.gradients(given)
        if isinstance(got, str):
            worst.take(float("inf"), f"it raises {got}, for shapes {given.shapes}")
        elif got is not None:
            compare(given, got, worst)
            again = held.gradients(given) if twice else got
            differing += sum(a.tobytes() != b.tobytes() for a, b in pairs(got, again))
    return Check(name, worst.figure, 1.0, worst.detail), worst.faults, differing


def doubled(value: Any) -> Any:
    """Floats as float64."""
    return np.asarray(value, np.float64) if np.asarray(value).dtype.kind == "f" else value


def wide(held: Held, found: Sequence[Point]) -> Looked:
    """A function that computes in float64 is held far tighter; one that gives float32, as a kernel does, is not called again."""
    worst = Worst()
    for given in (from_point(p, None) for p in found):
        got = held.gradients(given, doubled)
        if not isinstance(got, dict) or any(a.dtype != np.float64 for a in got.values()):
            break
        compare(given, got, worst)
    return Check("in float64", worst.figure, 1.0, worst.detail), worst.faults, 0


def tied_points(spec: OpSpec, derived: OpSpec, hints: Hints, seed: int, fixed: Mapping[str, Any]) -> Iterator[Given]:
    """Ties and kinks, with the stated convention as the truth."""
    names = differentiable_names(spec)
    for arguments, weights in tied_arguments(spec, hints, seed, fixed):
        given = derived_at(derived, arguments, weights, names)
        if all(np.isfinite(t).all() for t in given.truths.values()):
            yield given


def pairs(got: Mapping[str, Array], again: Any) -> Iterator[tuple[Array, Array]]:
    for name, array in got.items():
        yield array, again[name] if isinstance(again, Mapping) else np.empty(0)


def compare(given: Given, got: Mapping[str, Array], worst: Worst) -> None:
    """Each gradient of a call."""
    for name, true in given.truths.items():
        found = got[name]
        if found.shape != true.shape:
            worst.take(float("inf"), f"d_{name} has the shape {found.shape} for shapes {given.shapes}")
            continue
        known = ~np.isnan(true) & np.isfinite(given.allowed[name])
        wide = np.asarray(found, np.float64)
        scale = float(np.max(np.abs(true[known]), initial=0.0))
        exactly = given.exact * scale + 2.0**-26 * given.allowed[name]
        allowed = np.maximum(exactly if found.dtype == np.float64 else given.allowed[name], 1e-300)
        with np.errstate(all="ignore"):
            shares = np.where(known, np.abs(wide - true) / allowed, 0.0)
        shares = np.where(np.isnan(shares), np.inf, shares)
        if shares.size:
            place = tuple(int(i) for i in np.unravel_index(int(np.argmax(shares)), shares.shape))
            fault = Fault(
                f"d_{name}",
                place,
                float(true[place]),
                float(wide[place]),
                np.where(known, wide - true, np.nan),
                given.shapes,
                float(shares[place]),
            )
            worst.note(fault)


def faults_of(found: Sequence[Point], backward: Backward, names: Sequence[str]) -> tuple[Fault, ...]:
    """The worst element of each gradient against complex steps."""
    _, faults, _ = checked("", Held(backward, names), (from_point(p, None) for p in found))
    return worst_of(faults)


def single_allowed(true: Array, bound: Any) -> Array:
    """What float32 may be off: a share of the largest entry, and what another form of the derived backward may round."""
    scale = float(np.max(np.abs(true), initial=0.0))
    error = np.asarray(np.broadcast_to(bound, np.shape(true)))
    return np.where(np.isfinite(error), SINGLE * scale + SPARE * error, np.nan)


def from_point(point: Point, derived: OpSpec | None) -> Given:
    """A point with complex steps as its truth."""
    truths: dict[str, Array] = {}
    for name, true in point.truths.items():
        values = np.full(np.size(point.arguments[name]), np.nan)
        values[true.places] = true.values
        truths[name] = values.reshape(np.shape(point.arguments[name]))
    known = None if derived is None else derived_at(derived, point.arguments, point.weights, list(truths))
    allowed: dict[str, Array] = {}
    for name, true in truths.items():
        if known is None:
            most = max(float(np.nanmax(np.abs(true), initial=0.0)), 1e-3)
            allowed[name] = np.full(true.shape, SINGLE * most)
        else:
            allowed[name] = known.allowed[name] + point.truths[name].tolerance
    return Given(point.arguments, point.weights, truths, allowed)


def derived_at(
    derived: OpSpec,
    arguments: Mapping[str, Any],
    weights: Mapping[str, Array],
    names: Sequence[str],
    spare: float = 0.0,
) -> Given:
    """The derived backward in float64 as the truth. spare: of the largest incoming gradient, what may be off besides."""
    singled = {
        n: np.asarray(single(a), np.float64) if np.ndim(a) and np.asarray(a).dtype.kind == "f" else a
        for n, a in arguments.items()
    }
    bounds = bounds_of(derived, {**singled, **{f"d_{o}": w for o, w in weights.items()}})
    truths = {n: np.asarray(bounds[o].value, np.float64) for n, o in zip(names, derived.outputs)}
    most = max((float(np.max(np.abs(w), initial=0.0)) for w in weights.values()), default=0.0)
    allowed = {n: single_allowed(truths[n], bounds[o].error) + spare * most for n, o in zip(names, derived.outputs)}
    return Given(singled, weights, truths, allowed)


def long_points(spec: OpSpec, derived: OpSpec, hints: Hints, seed: int, fixed: Mapping[str, Any]) -> Iterator[Given]:
    """Each axis long in turn, the others short: what is wrong only beyond a run, a tile or a workgroup shows."""
    if any(np.ndim(v) for v in fixed.values()):
        return
    names = list(axis_sizes(spec, Hints(), (1,)))
    lists = [
        tuple(length if a == n else SHORT[n % len(SHORT)] for n in range(len(names)))
        for a in range(len(names))
        for length in LONG
    ]
    for number, extents in enumerate([*lists, (4,) * len(names), (9, 7, 11)]):
        yield from one_long(spec, derived, hints, (seed, 5, number), fixed, extents)


def one_long(
    spec: OpSpec, derived: OpSpec, hints: Hints, seed: tuple[int, ...], fixed: Mapping[str, Any], extents: Sequence[int]
) -> Iterator[Given]:
    """The truth at one list of sizes, nothing where the formula takes no such sizes or is too large there."""
    random = np.random.default_rng(seed)
    tensors = [i for i in spec.inputs if isinstance(i, TensorInput)]
    sizes = axis_sizes(spec, hints, extents, fixed)
    if max([int(np.prod(list(sizes.values()), dtype=np.float64))]) > MOST_CELLS or not tensors:
        return
    try:
        found = points_within(spec, hints, int(random.integers(1 << 30)), fixed, [extents], truths=False)
    except ShaderError:
        return
    for each in found:
        names = differentiable_names(spec)
        weights = {o: random.normal(size=np.shape(w)).astype(np.float32) for o, w in each.weights.items()}
        yield derived_at(derived, each.arguments, weights, names)


def differentiable_names(spec: OpSpec) -> list[str]:
    return [i.name for i in spec.inputs if isinstance(i, TensorInput) and i.dtype.value == "f32"]


def scaled_points(spec: OpSpec, derived: OpSpec, found: Sequence[Point], fixed: Mapping[str, Any]) -> Iterator[Given]:
    """Small numbers, beside which a constant like eps is large, and large ones."""
    names = differentiable_names(spec)
    for point in found:
        for scale in SCALES:
            moved = {
                n: np.asarray(a) * scale if n in names and n not in fixed else a for n, a in point.arguments.items()
            }
            weights = {o: np.asarray(w, np.float64) for o, w in point.weights.items()}
            values = evaluate(spec, moved)
            if all(np.isfinite(values[o]).all() for o in spec.outputs if o in values):
                given = derived_at(derived, moved, weights, names, SATURATED if scale > 1 else 0.0)
                if all(np.isfinite(t).all() for t in given.truths.values()):
                    yield given


def hostile(spec: OpSpec, derived: OpSpec, found: Sequence[Point], held: Held, fixed: Mapping[str, Any]) -> Looked:
    """Finite and right in float32 wherever the exact gradient is a float32."""
    worst = Worst()
    for trial in trials(spec, derived, found[-1], [n for n in differentiable_names(spec) if n not in fixed]):
        arguments = {n: a for n, a in trial.arguments.items() if not n.startswith("d_")}
        weights = {n[2:]: a for n, a in trial.arguments.items() if n.startswith("d_")}
        got = held.gradients(Given(arguments, weights, trial.exact, trial.allowed))
        if isinstance(got, str):
            worst.take(float("inf"), f"it raises {got}, with {trial.where}")
        elif got is not None:
            worst.take(trial.excess(got), f"a gradient is not finite, or wrong, with {trial.where}")
    return Check("hostile float32", worst.figure, 1.0, worst.detail), [], 0
