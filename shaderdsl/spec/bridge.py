"""Between formulas and sympy: the scalar part of a stage as a sympy expression, and back.

Reads, indices, sizes and parameters are symbols. Functions are those of `slopes`, and what a formula spells in a way that overflows or cancels
when it is differentiated is read as the stable function that it is: log(1 + exp(x)) as softplus(x).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

from shaderdsl.errors import InternalError, SpecError
from shaderdsl.spec import spellings
from shaderdsl.spec.dtypes import COMPARISONS
from shaderdsl.spec.forms import BACK_FUNCTIONS, BACK_OPERATORS, OPERATORS, class_of
from shaderdsl.spec.notation import (
    Function,
    Index,
    Number,
    Operation,
    Operator,
    Parameter,
    Read,
    Scalar,
    Size,
    operands,
)
from shaderdsl.spec.products import guarded, may_be_extreme, multiplied, number, rational, risen, shrinks, sides
from shaderdsl.spec.real import (
    Reason,
    Signum,
    Stopped,
    Term,
    sympy,
)
from shaderdsl.spec.slopes import (
    GROWING,
    Abs,
    Clamp,
    Cosh,
    Exp,
    Exprel,
    Growth,
    Kinked,
    OnePlusTanh,
    Power,
    Quotient,
    Sigmoid,
    joined,
)

KINKED = frozenset({"abs", "length", "distance", "relu", "max", "min", "clamp", "saturate"})
FEW = 8
"""Terms of a sum that are added one by one; more are added at once, which takes no time by their square."""


def terms_of(scalar: Scalar) -> list[Scalar]:
    """The terms of a sum as it is written, from the left."""
    found: list[Scalar] = []
    while isinstance(scalar, Operation) and scalar.operator is Operator.ADD:
        found.append(scalar.arguments[1])
        scalar = scalar.arguments[0]
    return [scalar, *reversed(found)]


def whole(scalar: Scalar) -> bool:
    """Whether a scalar is arithmetic of indices and sizes, which is exact in any order."""
    if isinstance(scalar, Operation):
        return scalar.operator not in (Operator.DIV, Operator.POW) and all(map(whole, scalar.arguments))
    return isinstance(scalar, Index | Size) or (isinstance(scalar, Number) and isinstance(scalar.value, int))


@dataclass(slots=True)
class Bridge:
    """Symbols for the leaves met so far; one Bridge serves expressions that are compared or combined."""

    leaves: dict[Scalar, Term] = field(default_factory=dict["Scalar", "Term"])
    back: dict[Term, Scalar] = field(default_factory=dict["Term", "Scalar"])
    grown: dict[Term, Term] = field(default_factory=dict["Term", "Term"])
    """The exps that stages name, by their names."""
    literal: bool = False
    """Whether every function stays what it is spelled as."""
    steps: ClassVar[frozenset[str]] = frozenset({"floor", "ceil", "round", "trunc", "sign", "step", "fract"})

    def leaf(self, scalar: Scalar) -> Term:
        """The symbol of a read, index, size or parameter, or of a number that is kept as it is written."""
        found = self.leaves.get(scalar)
        if found is None:
            integer = isinstance(scalar, Index | Size)
            name = f"{len(self.leaves):03d} {scalar!r}"
            found = sympy.Symbol(name, integer=True) if integer else sympy.Symbol(name, real=True)
            if isinstance(scalar, Size):
                found = sympy.Symbol(name, integer=True, positive=True)
            self.leaves[scalar] = found
            self.back[found] = scalar
        return found

    def term(self, scalar: Scalar) -> Term:
        """A formula as a sympy expression."""
        match scalar:
            case Number(value):
                return sympy.Integer(value) if isinstance(value, int) else number(value)
            case Read() | Index() | Size() | Parameter():
                return self.leaf(scalar)
            case Operation(operator, arguments) if operator in COMPARISONS:
                return OPERATORS[operator](*map(self.exact, arguments))
            case Operation(Operator.ADD) if len(parts := terms_of(scalar)) > FEW:
                return sympy.Add(*map(self.term, parts))
            case Operation(operator, arguments):
                return self.operation(operator, [self.term(a) for a in arguments])
            case Function("stop_gradient", (inner,), because) if because:
                return Stopped(self.term(inner), Reason(because))
            case Function(name, arguments):
                return self.function(name, [*map(self.term, arguments), *self.beside(name, arguments)])

    def exact(self, scalar: Scalar) -> Term:
        """A side of a comparison: as it is written, since in another order it would be rounded to another number."""
        return (
            self.term(scalar)
            if not operands(scalar) or isinstance(scalar, Read) or whole(scalar)
            else self.leaf(scalar)
        )

    def beside(self, name: str, arguments: tuple[Scalar, ...]) -> list[Term]:
        """What a function with kinks compares, where that is not just its arguments and nothing in them is said in stable words."""
        if name not in KINKED or self.literal:
            return []
        compared = (Operation(Operator.SUB, arguments),) if name == "distance" else arguments
        exact = [self.exact(a) for a in compared]
        plain = exact == [self.term(a) for a in compared]
        return [] if plain or any(map(self.respelled, arguments)) else exact

    def operation(self, operator: Operator, arguments: list[Term]) -> Term:
        """An operation, read as the stable function that it spells."""
        match operator:
            case Operator.POW:
                return self.powered(*arguments)
            case Operator.NEG:
                return -arguments[0]
            case Operator.DIV if Quotient.scales(arguments[1]):
                return Quotient(*arguments)
            case Operator.ADD | Operator.SUB | Operator.MUL | Operator.DIV:
                return (spellings.LITERAL if self.literal else spellings.SPELLED)[operator](*arguments)
            case _:
                return OPERATORS[operator](*arguments)

    def powered(self, base: Term, exponent: Term) -> Term:
        literal = self.literal and isinstance(base, Exp)
        return base**exponent if literal else spellings.power(base, exponent)

    def logarithm(self, x: Term) -> Term:
        return sympy.log(x) if self.literal else spellings.logarithm(x)

    def respelled(self, scalar: Scalar) -> bool:
        """Whether a formula says something stable in other words, which give other floats."""
        return Bridge(self.leaves, self.back, literal=True).term(scalar) != self.term(scalar)

    def function(self, name: str, arguments: list[Term]) -> Term:
        match name:
            case "where" if Signum.is_spelled(*arguments):
                return Signum(arguments[0].args[0])
            case "sqrt":
                return self.powered(arguments[0], sympy.Rational(1, 2))
            case "rsqrt":
                return self.powered(arguments[0], sympy.Rational(-1, 2))
            case "log":
                return self.logarithm(arguments[0])
            case "exp2":
                return Exp(arguments[0] * sympy.log(2))
            case "log2":
                return self.logarithm(arguments[0]) / sympy.log(2)
            case "pow":
                return self.powered(*arguments)
            case "degrees":
                return arguments[0] * sympy.Float(180.0 / math.pi)
            case "radians":
                return arguments[0] * sympy.Float(math.pi / 180.0)
            case "length":
                return Abs(*arguments)
            case "distance":
                return Abs(arguments[0] - arguments[1], *arguments[2:])
            case "fma":
                return arguments[0] * arguments[1] + arguments[2]
            case "mix":
                return arguments[0] * (1 - arguments[2]) + arguments[1] * arguments[2]
            case "saturate":
                bounds = (sympy.S.Zero, sympy.S.One)
                return Clamp(arguments[0], *bounds, *((arguments[1], *bounds) if arguments[1:] else ()))
            case _:
                return class_of(name)(*arguments)

    def scalar(self, term: Term) -> Scalar:
        """A sympy expression as a formula."""
        if term in self.back:
            return self.back[term]
        if term.is_Integer:
            return Number(int(term))
        if term.is_Rational:
            return rational(int(term.p), int(term.q))
        if term.is_Float or term.is_NumberSymbol:
            return Number(float(term))
        if term.is_Add:
            return self.total(term)
        if term.is_Mul:
            return self.product(term)
        if term.is_Pow and risen(term) != term:
            return self.scalar(risen(term))
        if term.is_Pow:
            return self.power(*term.as_base_exp())
        if isinstance(term, Growth):
            x, a = term.args
            return self.scalar(x * sympy.sympify(Exprel(x * a)))
        if isinstance(term, OnePlusTanh):
            return self.scalar(2 * sympy.sympify(Sigmoid(2 * term.args[0])))
        if isinstance(term, Power):
            return self.power(*term.args)
        if isinstance(term, Stopped):
            return Function("stop_gradient", (self.scalar(term.args[0]),), *(str(r) for r in term.args[1:]))
        if isinstance(term, Signum):
            return self.scalar(term.chosen())
        operator = BACK_OPERATORS.get(term.func)
        shown = term.numbers if isinstance(term, Kinked) else term.args
        arguments = tuple(self.scalar(a) for a in shown)
        if operator is not None:
            return Operation(operator, arguments)
        name = BACK_FUNCTIONS.get(term.func)
        if name is None and term.is_number:
            raise SpecError("a constant of this stage is no finite real number", hints=["write it as a number"])
        if name is None:
            raise InternalError(f"{term.func} has no formula")
        return Function(name, arguments)

    def total(self, term: Term) -> Scalar:
        """A sum, positive terms first."""
        parts = term.as_ordered_terms()
        positive = [p for p in parts if not p.could_extract_minus_sign()]
        negative = [-p for p in parts if p.could_extract_minus_sign()]
        if not positive:
            return Operation(Operator.NEG, (self.scalar(sympy.Add(*negative)),))
        result = self.scalar(positive[0])
        for part in positive[1:]:
            result = Operation(Operator.ADD, (result, self.scalar(part)))
        for part in negative:
            result = Operation(Operator.SUB, (result, self.scalar(part)))
        return result

    def product(self, term: Term) -> Scalar:
        """A product over what divides it; a minus sign in front."""
        counted = multiplied(term)
        if counted is not None:
            condition, inside = counted
            return Function("where", (self.scalar(condition), self.scalar(inside), Number(0)))
        if term.could_extract_minus_sign():
            return Operation(Operator.NEG, (self.scalar(-term),))
        inside = guarded(term)
        if inside is not None:
            return self.scalar(inside)
        term = joined(sympy.Mul(*map(risen, sympy.Mul.make_args(term))))
        if not term.is_Mul:
            return self.scalar(term)
        above, below = sides(term)
        late = [f for f in above if self.grows(f)] if shrinks(above, below) else []
        early = [f for f in above if f not in late]
        if not early:
            early, late = late, []
        steep = any(f.has(*GROWING) for f in above)
        result = self.divided(self.factors(early), below, steep)
        return Operation(Operator.MUL, (result, self.factors(late))) if late else result

    def divided(self, above: Scalar, below: list[Term], steep: bool = False) -> Scalar:
        """A division by a product; by a power in two steps, as it may be 0 or infinite where the quotient is neither.

        steep: whether what stands above may be as large; a power of cosh, which is never below 1, is else right as one.
        """
        powers = [f for f in below if may_be_extreme(f) and (steep or not isinstance(f.as_base_exp()[0], Cosh))]
        once = [f for f in below if f not in powers]
        result = Operation(Operator.DIV, (above, self.factors(once))) if once else above
        for base, times in (f.as_base_exp() for f in powers):
            for part in (times - times // 2, times // 2):
                result = Operation(Operator.DIV, (result, self.scalar(base**part)))
        return result

    def grows(self, factor: Term) -> bool:
        """Whether a factor is an exp, or names one, that nothing is taken from: it is multiplied by last."""
        found = self.grown.get(factor, factor)
        return isinstance(found, Exp) and not any(
            p.could_extract_minus_sign() for p in sympy.Add.make_args(found.args[0])
        )

    def factors(self, terms: list[Term]) -> Scalar:
        if not terms:
            return Number(1)
        result = self.scalar(terms[0])
        for term in terms[1:]:
            result = Operation(Operator.MUL, (result, self.scalar(term)))
        return result

    def power(self, base: Term, exponent: Term) -> Scalar:
        if exponent.is_Integer and exponent < 0:
            return self.divided(Number(1), [base**-exponent])
        if exponent.is_Integer:
            return Operation(Operator.POW, (self.scalar(base), Number(int(exponent))))
        if exponent.is_Rational and exponent.q == 2:
            root = Function("sqrt" if exponent > 0 else "rsqrt", (self.scalar(base),))
            times = abs(int(exponent.p))
            return root if times == 1 else Operation(Operator.POW, (root, Number(times)))
        return Function("pow", (self.scalar(base), self.scalar(exponent)))
