"""A backward as the textbook writes it, beside the derived one: both over symbols at a small size, and their difference proved to be 0.

    row = Row("exp", "y[i] = exp(x[i])", "given x[i], d_y[i]\\nd_x[i] = d_y[i] * exp(x[i])", {"i": 2}, ("exp", "sin"))
    left_over(row)          # [] where algebra shows every gradient to be the textbook's
    worst_digits(row)       # the largest difference at random points, in numbers of 50 digits

Comparisons of symbols are tried both ways; equality of two symbols is the one case that is left out, since it is a point.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np

from codegen_tests.spec.textbook_algebra import vanishes
from shaderdsl.spec.derive import differentiable, vjp
from shaderdsl.spec.leading import specialise
from shaderdsl.spec.notation import Dtype, OpSpec, ScalarInput, TensorInput
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.shapes import bind_sizes
from shaderdsl.testing.symbolic import Term, exact, form, symbol, symbols

DIGITS = 50
MOST_CASES = 256
HYPERBOLIC = ("sinh", "cosh", "tanh")
SHORT, ROUNDING = 64, 1e-14


@dataclass(frozen=True)
class Row:
    """One line of the book.

    backward: gradients in the order of the forward's float inputs, or of `wrt`; it reads inputs, `d_` of each output, and nothing derived.
    sizes: each axis. fault: what to write instead of what, so that it is wrong. scalars: whole numbers, or numbers that algebra
    cannot leave open. below: whole numbers of integer tensors are tried up to here, in every combination. positive: inputs above 0.
    free: tensors of the forward that are symbols of their own, so that the gradients are equal whatever they are; the textbook may read
    every tensor of the forward. larger: sizes for the numbers of 50 digits. constants: what the long
    numbers of the formulas are multiples of.
    """

    name: str
    forward: str
    backward: str
    sizes: Mapping[str, int]
    fault: tuple[str, str]
    scalars: Mapping[str, float] = field(default_factory=dict[str, float])
    below: Mapping[str, int] = field(default_factory=dict[str, int])
    positive: tuple[str, ...] = ()
    wrt: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    larger: Mapping[str, int] = field(default_factory=dict[str, int])
    constants: Mapping[str, float] = field(default_factory=dict[str, float])

    def specs(self) -> tuple[OpSpec, OpSpec, OpSpec]:
        """The forward, its derived backward, and the textbook's."""
        return *derived_of(self.name, self.forward, self.wrt), without_dots("textbook", self.backward)


@lru_cache
def derived_of(name: str, formula: str, wrt: tuple[str, ...]) -> tuple[OpSpec, OpSpec]:
    forward = without_dots(name, formula)
    return forward, vjp(forward, wrt or None)


def without_dots(name: str, formula: str) -> OpSpec:
    """One axis stands for `...`."""
    spec = parse_spec(name, formula)
    return specialise(spec, {i.name: len(i.axes) + i.leading for i in spec.inputs if isinstance(i, TensorInput)})


def faulty(row: Row) -> Row:
    """The row with its planted fault."""
    old, new = row.fault
    if old not in row.backward:
        raise AssertionError(f"{row.name} has no {old!r} to spoil")
    return replace(row, backward=row.backward.replace(old, new, 1))


def left_over(row: Row, most: int | None = None) -> list[str]:
    """Every element of a gradient whose difference is not proved to be 0, or the first of them."""
    forward, derived, textbook = row.specs()
    found: list[str] = []
    for arguments in settings(row, forward, row.sizes, number=None):
        derived = opened(derived, row.free)
        for name, place, term in differences(derived, textbook, arguments):
            if not all(vanishes(named(case, row.constants)) for case in cases(term)):
                found.append(f"{name}{list(place)}: {str(term)[:200]}")
            if len(found) == most:
                return found
    return found


def worst_digits(row: Row, seed: int = 0) -> float:
    """The largest difference at random points, relative to the largest gradient there."""
    forward, derived, textbook = row.specs()
    random = np.random.default_rng(seed)
    worst = 0.0
    for arguments in settings(row, forward, {**row.sizes, **row.larger}, number=random):
        pairs = [
            (abs(term), abs(float(value))) for _, _, term, value in differences_and_values(derived, textbook, arguments)
        ]
        scale = max((value for _, value in pairs), default=1.0) or 1.0
        worst = max([worst, *(float(term) / scale for term, _ in pairs)])
    return worst


def differences(derived: OpSpec, textbook: OpSpec, arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any, Term]]:
    for name, place, term, _ in differences_and_values(derived, textbook, arguments):
        yield name, place, term


def differences_and_values(
    derived: OpSpec, textbook: OpSpec, arguments: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Term, Term]]:
    """Derived less textbook, element by element."""
    left, right = (values(spec, arguments) for spec in (derived, textbook))
    assert len(derived.outputs) == len(textbook.outputs)
    for one, two in zip(derived.outputs, textbook.outputs):
        assert np.shape(left[one]) == np.shape(right[two]), (one, two)
        for place in np.ndindex(np.shape(left[one])):
            value = np.asarray(right[two], dtype=object)[place]
            yield one, place, np.asarray(left[one], dtype=object)[place] - value, value


def values(spec: OpSpec, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments and every stage."""
    given = {i.name: arguments[i.name] for i in spec.inputs}
    scalars = {i.name: np.asarray(given[i.name]).item() for i in spec.inputs if isinstance(i, ScalarInput)}
    return {**arguments, **exact(spec, given | scalars)}


def opened(spec: OpSpec, free: tuple[str, ...]) -> OpSpec:
    """The spec with these stages as inputs."""
    stages = {s.targets[0].name: s.targets[0] for s in spec.stages}
    given = tuple(TensorInput(n, tuple(b.name for b in stages[n].bounds), Dtype.F32) for n in free if n in stages)
    kept = tuple(s for s in spec.stages if s.targets[0].name not in free)
    return replace(spec, inputs=(*spec.inputs, *given), stages=kept)


def settings(
    row: Row, forward: OpSpec, sizes: Mapping[str, int], number: np.random.Generator | None
) -> Iterator[dict[str, Any]]:
    """Arguments of the backward: symbols, or random numbers of 50 digits, with every combination of the whole ones."""
    fixed: dict[str, Any] = {}
    whole: list[tuple[str, tuple[int, ...]]] = []
    for given in forward.inputs:
        if not isinstance(given, TensorInput):
            fixed[given.name] = scalar(row, given.name, given.dtype, number)
            continue
        shape = tuple(sizes[a or "b"] for a in given.axes)
        if given.dtype is Dtype.F32:
            fixed[given.name] = filled(given.name, shape, number, positive=given.name in row.positive)
        else:
            whole.append((given.name, shape))
    for chosen in whole_numbers(row, whole, number):
        arguments = {**fixed, **chosen}
        shapes = {i.name: np.shape(arguments[i.name]) for i in forward.inputs if isinstance(i, TensorInput)}
        counts = {n: int(v) for n, v in arguments.items() if n not in shapes and isinstance(v, int)}
        known = bind_sizes(forward, shapes, counts).shapes
        arguments |= {f"d_{o}": filled(f"d_{o}", known[o], number) for o in forward.outputs}
        free = row.free if number is None else ()
        arguments |= {n: filled(n, known[n], number) for n in free}
        yield values(opened(forward, free), arguments)


def scalar(row: Row, name: str, dtype: Dtype, number: np.random.Generator | None) -> Any:
    if name in row.scalars:
        return int(row.scalars[name]) if dtype is not Dtype.F32 else form("Rational")(str(row.scalars[name]))
    return symbol(name, positive=True) if number is None else drawn(number, positive=True)


def filled(name: str, shape: tuple[int, ...], number: np.random.Generator | None, *, positive: bool = False) -> Any:
    if number is None:
        return symbols(name, shape, **({"positive": True} if positive else {}))
    array = np.empty(shape, dtype=object)
    for place in np.ndindex(shape):
        array[place] = drawn(number, positive=positive)
    return array


def drawn(random: np.random.Generator, *, positive: bool) -> Term:
    """A number of 50 digits between -2 and 2."""
    whole = int(random.integers(1, 2 * 10**9)) if positive else int(random.integers(-2 * 10**9, 2 * 10**9))
    return form("Float")(form("Rational")(whole, 10**9), DIGITS)


def whole_numbers(
    row: Row, tensors: list[tuple[str, tuple[int, ...]]], number: np.random.Generator | None
) -> Iterator[dict[str, Any]]:
    """Every combination, or one that is drawn."""
    counts = [row.below[name] for name, shape in tensors for _ in range(int(np.prod(shape)))]
    every = itertools.product(*map(range, counts)) if number is None else [[int(number.integers(c)) for c in counts]]
    for combination in every:
        rest, found = list(combination), dict[str, Any]()
        for name, shape in tensors:
            size = int(np.prod(shape))
            found[name] = np.array(rest[:size], dtype=np.int64).reshape(shape)
            rest = rest[size:]
        yield found


def cases(term: Term) -> Iterator[Term]:
    """The term for each truth of its comparisons, in exponential functions alone."""
    term = form("sympify")(term).rewrite([form(n) for n in HYPERBOLIC], form("exp")).replace(is_ramp, as_choice)
    equal = {r: form("false") for r in term.atoms(form("Eq"))} | {r: form("true") for r in term.atoms(form("Ne"))}
    term = term.xreplace(equal)
    open_ones = sorted(term.atoms(form("Rel")), key=str)
    assert 2 ** len(open_ones) <= MOST_CASES, open_ones
    for truths in itertools.product((form("true"), form("false")), repeat=len(open_ones)):
        yield term.xreplace(dict(zip(open_ones, truths)))


def is_ramp(term: Term) -> bool:
    return isinstance(term, form("Max")) and len(term.args) == 2 and 0 in term.args


def as_choice(ramp: Term) -> Term:
    """max(x, 0) as its two cases."""
    (x,) = (a for a in ramp.args if a != 0)
    return form("Piecewise")((x, x > 0), (0, True))


def named(term: Term, constants: Mapping[str, float]) -> Term:
    """Long constants as small multiples of the named ones and of their product: the formulas hold float64 products of these."""
    if not constants:
        return term
    known = [(symbol(n, positive=True), form("Rational")(str(v))) for n, v in constants.items()]
    known.append((form("Mul")(*(n for n, _ in known)), form("Mul")(*(v for _, v in known))))
    found: dict[Term, Term] = {}
    for number in (n for n in term.atoms(form("Rational")) if n.q > SHORT):
        for name, value in known:
            times = (number / value).limit_denominator(SHORT)
            if abs(times * value - number) < ROUNDING * abs(number):
                found[number] = times * name
    return term.xreplace(found)


def gradients_of(row: Row) -> list[str]:
    """The inputs that the row has gradients of."""
    return list(row.wrt) or differentiable(row.specs()[0])
