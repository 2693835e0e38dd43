"""What the ranges of indices decide: conditions that always or never hold, and index expressions in their shortest form.

d_a[m, p < size(p)] = where(p < size(p), d_y[m, p], 0)       is       d_y[m, p]
where(size(p) + q < size(p), 0, d_y[m, q])                   is       d_y[m, q]
x[d + size(d) // 2 - size(d) // 2]                           is       x[d]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from shaderdsl.spec.bridge import Bridge
from shaderdsl.spec.extents import extents_of
from shaderdsl.spec.notation import (
    Dtype,
    Function,
    Index,
    Number,
    Operation,
    Operator,
    OpSpec,
    Parameter,
    Read,
    Scalar,
    Size,
    operands,
)
from shaderdsl.spec.real import FloorDiv, Term, sympy
from shaderdsl.spec.rewrite import rebuilt, subscalars

WHOLE = (Operator.ADD, Operator.SUB, Operator.MUL, Operator.NEG, Operator.FLOOR_DIV, Operator.MOD)
"""Operators of index arithmetic."""
LESS = {Operator.LT: (0, 1), Operator.LE: (0, 0), Operator.GT: (1, 1), Operator.GE: (1, 0)}
"""Comparisons as `other side - this side >= n`: whether the sides change places, and n."""
YES, NO = Number(1), Number(0)


def decided(spec: OpSpec, count: int) -> OpSpec:
    """`spec` with the stages after the first `count`, which are derived, rid of what their indices decide."""
    extents = extents_of(spec)
    integers = frozenset(i.name for i in spec.inputs if i.dtype in (Dtype.I32, Dtype.U32))
    stages = list(spec.stages[:count])
    for stage in spec.stages[count:]:
        ranges = Ranges(extents.stage(stage), integers)
        stages.append(replace(stage, values=tuple(map(ranges.settled, stage.values))))
    return replace(spec, stages=tuple(stages))


@dataclass(slots=True)
class Ranges:
    """The extents of a stage's indices, which run from 0 on, and the inputs that are whole numbers."""

    extents: Mapping[str, Scalar]
    integers: frozenset[str] = frozenset()
    bridge: Bridge = field(default_factory=Bridge)

    def settled(self, scalar: Scalar) -> Scalar:
        """A value with decided conditions gone and index expressions short."""
        match scalar:
            case Function("where", (condition, chosen, other)):
                holds = self.condition(condition)
                if holds in (YES, NO):
                    return self.settled(chosen if holds == YES else other)
                return replace(scalar, arguments=(holds, self.settled(chosen), self.settled(other)))
            case Read(_, indices, _):
                inner = rebuilt(scalar, self.settled)
                return replace(inner, indices=tuple(map(self.shortest, indices))) if isinstance(inner, Read) else inner
            case _:
                return rebuilt(scalar, self.settled)

    def condition(self, scalar: Scalar) -> Scalar:
        """A condition with its decided parts gone; `YES` or `NO` where nothing is left of it."""
        match scalar:
            case Operation(Operator.AND, (left, right)):
                return joined(Operator.AND, self.condition(left), self.condition(right), YES, NO)
            case Operation(Operator.OR, (left, right)):
                return joined(Operator.OR, self.condition(left), self.condition(right), NO, YES)
            case Operation(Operator.NOT, (inner,)):
                found = self.condition(inner)
                if found in (YES, NO):
                    return NO if found == YES else YES
                return Operation(Operator.NOT, (found,))
            case Operation(operator, (left, right)) if self.whole(left) and self.whole(right):
                return self.comparison(operator, left, right)
            case _:
                return rebuilt(scalar, self.settled)

    def comparison(self, operator: Operator, left: Scalar, right: Scalar) -> Scalar:
        """A comparison of whole numbers: decided, or with short sides."""
        difference = self.term(right) - self.term(left)
        if operator in LESS:
            swapped, least = LESS[operator]
            forwards = -difference if swapped else difference
            if self.reaches(forwards - least):
                return YES
            if self.reaches(least - 1 - forwards):
                return NO
        if operator in (Operator.EQ, Operator.NE):
            same = sympy.expand(difference) == 0
            if same or self.reaches(difference - 1) or self.reaches(-difference - 1):
                return YES if same == (operator is Operator.EQ) else NO
        return Operation(operator, (self.shortest(left), self.shortest(right)))

    def reaches(self, term: Term) -> bool:
        """Whether a term is at least 0 for all values of the indices and sizes."""
        term = sympy.expand(term)
        for name, extent in self.extents.items():
            symbol = self.bridge.leaf(Index(name))
            slope = term.coeff(symbol)
            if slope == 0:
                continue
            if (term - slope * symbol).has(symbol) or not (slope.is_nonnegative or slope.is_nonpositive):
                return False
            least = 0 if slope.is_nonnegative else self.term(extent) - 1
            term = sympy.expand(term.subs(symbol, least))
        quotients = {q: sympy.Dummy(integer=True, nonnegative=True) for q in term.atoms(FloorDiv) if self.counts(q)}
        return bool(term.xreplace(quotients).is_nonnegative)

    def counts(self, quotient: Term) -> bool:
        """Whether a quotient is of sizes, and so at least 0."""
        sizes = all(isinstance(self.bridge.back.get(s), Size) for s in quotient.free_symbols)
        return sizes and bool(quotient.args[1].is_positive)

    def whole(self, scalar: Scalar) -> bool:
        """Whether a scalar is arithmetic of whole numbers."""
        match scalar:
            case Index() | Size():
                return True
            case Number(value):
                return isinstance(value, int)
            case Parameter(name) | Read(name):
                return name in self.integers
            case Operation(operator, arguments):
                return operator in WHOLE and all(map(self.whole, arguments))
            case _:
                return False

    def term(self, scalar: Scalar) -> Term:
        return sympy.expand(self.bridge.term(scalar))

    def shortest(self, index: Scalar) -> Scalar:
        """Index arithmetic written out and put together again, where that is shorter."""
        inner = rebuilt(index, self.shortest) if not isinstance(index, Read) else self.settled(index)
        if not self.whole(inner) or not operands(inner):
            return inner
        short = self.bridge.scalar(self.term(inner))
        return short if length(short) < length(inner) else inner


def length(scalar: Scalar) -> int:
    return sum(1 for _ in subscalars(scalar))


def joined(operator: Operator, left: Scalar, right: Scalar, neutral: Scalar, final: Scalar) -> Scalar:
    """Two conditions as one, where either may be decided."""
    if final in (left, right):
        return final
    if left == neutral:
        return right
    return left if right == neutral else Operation(operator, (left, right))
