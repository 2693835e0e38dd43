"""Specs over symbols: exact values at a small size, so that two formulas are proved equal there and not only found so.

found = exact(spec, {"x": symbols("x", (2, 3)), "eps": symbol("eps")})["y"]     # an array of sympy expressions
proved_zero(found[0, 0] - other)
"""

from __future__ import annotations

import itertools
import operator as python
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from shaderdsl.spec.functions import FUNCTIONS
from shaderdsl.spec.notation import (
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
    TensorInput,
)
from shaderdsl.spec.shapes import bind_sizes, size_of
from shaderdsl.spec.sympy_forms import SYMPY_FORMS, form

Term = Any
Terms = Any
"""An array of terms."""

ZERO, ONE = form("Integer")(0), form("Integer")(1)
EXP, LOG, PIECEWISE, EXPAND = form("exp"), form("log"), form("Piecewise"), form("expand")


class Unproved(Exception):  # noqa: N818 (no error: the answer is not known)
    """Algebra cannot decide this."""


def symbol(name: str, **assumed: bool) -> Term:
    """A real symbol."""
    return form("Symbol")(name, real=True, **assumed)


def symbols(name: str, shape: tuple[int, ...], **assumed: bool) -> Terms:
    """An array of symbols `x_0_1`."""
    found = np.empty(shape, dtype=object)
    for place in np.ndindex(shape):
        found[place] = symbol("_".join([name, *map(str, place)]), **assumed)
    return found


@dataclass(frozen=True, slots=True)
class Cell:
    """One position of a stage. carried: what a scan's reads of itself give."""

    spec: OpSpec
    number: int
    extents: Mapping[str, int]
    shapes: Mapping[str, tuple[int, ...]]
    values: Mapping[str, Terms]
    at: Mapping[str, int]
    carried: Mapping[str, Term]


def exact(spec: OpSpec, arguments: Mapping[str, Any]) -> dict[str, Terms]:
    """Every stage. arguments: arrays of terms or whole numbers, and terms or numbers for scalars; `spec` has no leading axes."""
    tensors = {i.name: np.shape(arguments[i.name]) for i in spec.inputs if isinstance(i, TensorInput)}
    whole = {n: int(v) for n, v in arguments.items() if n not in tensors and isinstance(v, int)}
    sizes = bind_sizes(spec, tensors, whole)
    values: dict[str, Terms] = dict(arguments)
    for number, stage in enumerate(spec.stages):
        extents = sizes.stages[number].extents
        for target in stage.targets:
            values[target.name] = np.empty(sizes.shapes[target.name], dtype=object)
        for places in positions(stage, extents):
            cell = Cell(spec, number, extents, sizes.shapes, values, places, carried_at(stage, places, extents, values))
            for target, term in zip(stage.targets, stage_values(stage, cell)):
                values[target.name][tuple(places[b.name] for b in target.bounds)] = term
    return {n: v for n, v in values.items() if n not in arguments}


def positions(stage: Stage, extents: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """The positions of the left side, along a scan in its order."""
    names = [b.name for b in stage.targets[0].bounds]
    cells = [dict(zip(names, p)) for p in itertools.product(*(range(extents[n]) for n in names))]
    if isinstance(stage.how, Scan):
        index, backwards = stage.how.index, stage.how.backwards
        cells.sort(key=lambda c: c[index], reverse=backwards)
    yield from cells


def carried_at(
    stage: Stage, places: Mapping[str, int], extents: Mapping[str, int], values: Mapping[str, Terms]
) -> dict[str, Term]:
    """What the step before left; nothing outside scans and at a first step with a start."""
    how = stage.how
    if not isinstance(how, Scan):
        return {}
    first = places[how.index] == (extents[how.index] - 1 if how.backwards else 0)
    if first:
        return {} if how.starts is not None else {t.name: ZERO for t in stage.targets}
    before = {**places, how.index: places[how.index] + (1 if how.backwards else -1)}
    return {t.name: values[t.name][tuple(before[b.name] for b in t.bounds)] for t in stage.targets}


def stage_values(stage: Stage, cell: Cell) -> list[Term]:
    how = stage.how
    if isinstance(how, Scan):
        if not cell.carried and how.starts is not None:
            starts = dict(zip((t.name for t in stage.targets), (value(s, cell) for s in how.starts)))
            cell = Cell(cell.spec, cell.number, cell.extents, cell.shapes, cell.values, cell.at, starts)
        return [value(v, cell) for v in stage.values]
    if not isinstance(how, Reduction):
        return [value(stage.values[0], cell)]
    names = [b.name for b in how.over]
    found: list[Term] = []
    for places in itertools.product(*(range(cell.extents[n]) for n in names)):
        inner = {**cell.at, **dict(zip(names, places))}
        at = Cell(cell.spec, cell.number, cell.extents, cell.shapes, cell.values, inner, {})
        found.append(as_number(value(stage.values[0], at)))
    return [reduced(how.kind, found)]


def reduced(kind: ReductionKind, terms: list[Term]) -> Term:
    match kind:
        case ReductionKind.SUM:
            return form("Add")(*terms)
        case ReductionKind.MEAN:
            return form("Add")(*terms) / len(terms)
        case ReductionKind.PROD:
            return form("Mul")(*terms)
        case ReductionKind.MAX:
            return form("Max")(*terms)
        case ReductionKind.MIN:
            return form("Min")(*terms)


def as_number(term: Term) -> Term:
    """A condition as 1 or 0."""
    if term in (form("true"), form("false")) or isinstance(term, bool):
        return ONE if term else ZERO
    return PIECEWISE((ONE, term), (ZERO, True)) if getattr(term, "is_Boolean", False) else term


def quotient(a: Term, b: Term) -> Term:
    return a / b


def whole_quotient(a: Term, b: Term) -> Term:
    return a // b


def power(a: Term, b: Term) -> Term:
    return a**b


OPERATIONS: dict[Operator, Callable[..., Term]] = {
    Operator.ADD: python.add,
    Operator.SUB: python.sub,
    Operator.MUL: python.mul,
    Operator.DIV: quotient,
    Operator.FLOOR_DIV: whole_quotient,
    Operator.MOD: python.mod,
    Operator.POW: power,
    Operator.NEG: python.neg,
    Operator.EQ: form("Eq"),
    Operator.NE: form("Ne"),
    Operator.LT: form("Lt"),
    Operator.LE: form("Le"),
    Operator.GT: form("Gt"),
    Operator.GE: form("Ge"),
    Operator.AND: form("And"),
    Operator.OR: form("Or"),
    Operator.NOT: form("Not"),
}
CONDITIONS = (Operator.AND, Operator.OR, Operator.NOT)


def logistic(x: Term) -> Term:
    return 1 / (1 + EXP(-x))


def relu(x: Term) -> Term:
    return form("Max")(x, ZERO)


def silu(x: Term) -> Term:
    return x * logistic(x)


def silu_slope(x: Term) -> Term:
    return logistic(x) * (1 + x * logistic(-x))


def softplus(x: Term) -> Term:
    return LOG(1 + EXP(x))


def gelu(x: Term) -> Term:
    rational = form("Rational")
    return x * logistic(rational("1.5957691216057308") * (x + rational("0.044715") * x**3))


def gelu_slope(x: Term) -> Term:
    """Through the slope of the logistic function, written out."""
    rational = form("Rational")
    scale, cube = rational("1.5957691216057308"), rational("0.044715")
    v = scale * (x + cube * x**3)
    return logistic(v) * (1 + x * logistic(-v) * scale * (1 + 3 * cube * x**2))


def expm1(x: Term) -> Term:
    return EXP(x) - 1


def log1p(x: Term) -> Term:
    return LOG(1 + x)


def exprel(x: Term) -> Term:
    return (EXP(x) - 1) / x


def exprel_slope(x: Term) -> Term:
    return (x * EXP(x) - EXP(x) + 1) / x**2


def first(x: Term, *_: Term) -> Term:
    return x


COMPOSED: dict[str, Callable[..., Term]] = {
    "relu": relu,
    "sigmoid": logistic,
    "silu": silu,
    "silu_slope": silu_slope,
    "softplus": softplus,
    "gelu": gelu,
    "gelu_slope": gelu_slope,
    "expm1": expm1,
    "log1p": log1p,
    "exprel": exprel,
    "exprel_slope": exprel_slope,
    "stop_gradient": first,
    "straight_through": first,
    "f32": as_number,
}


def value(scalar: Scalar, cell: Cell) -> Term:
    """An expression at a position."""
    match scalar:
        case Number(constant):
            return form("Rational")(str(constant))
        case Index(name):
            return form("Integer")(cell.at[name])
        case Size(name):
            return form("Integer")(size_of(cell.spec, cell.number, name, cell.extents, cell.shapes))
        case Parameter(name):
            return form("sympify")(cell.values[name])
        case Read():
            return element(scalar, cell)
        case Operation(operator, arguments):
            terms = [value(a, cell) for a in arguments]
            return OPERATIONS[operator](*(terms if operator in CONDITIONS else map(as_number, terms)))
        case Function("where", (condition, chosen, otherwise)):
            return choice(value(condition, cell), lambda: value(chosen, cell), lambda: value(otherwise, cell))
        case Function(name, arguments):
            return called(name, [value(a, cell) for a in arguments])


def choice(condition: Term, chosen: Callable[[], Term], otherwise: Callable[[], Term]) -> Term:
    """A condition that is known takes one side alone."""
    if condition == form("true"):
        return chosen()
    if condition == form("false"):
        return otherwise()
    return PIECEWISE((chosen(), condition), (otherwise(), True))


def called(name: str, terms: list[Term]) -> Term:
    if name in COMPOSED:
        return COMPOSED[name](*terms)
    builtin = FUNCTIONS[name].builtin
    if builtin is None or builtin not in SYMPY_FORMS:
        raise Unproved(f"{name} has no exact form")
    return SYMPY_FORMS[builtin](*terms)


def element(read: Read, cell: Cell) -> Term:
    """An element, or what stands for one out of range."""
    if read.tensor in cell.carried:
        return cell.carried[read.tensor]
    array = cell.values[read.tensor]
    places = tuple(int(value(i, cell)) for i in read.indices)
    if all(0 <= p < n for p, n in zip(places, np.shape(array))):
        return form("sympify")(array[places])
    return value(read.fill, cell) if read.fill is not None else ZERO


def proved_zero(term: Term) -> bool:
    """Whether algebra shows that a term is 0."""
    if term == 0 or EXPAND(term) == 0:
        return True
    top = EXPAND(form("numer")(form("together")(EXPAND(term))))
    if top == 0:
        return True
    return bool(top.has(form("sin"), form("cos")) and EXPAND(form("trigsimp")(top)) == 0)
