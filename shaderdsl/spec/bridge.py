"""Between formulas and sympy: the scalar part of a stage as a sympy expression, and back.

Reads, indices, sizes and parameters are symbols. Functions whose naive derivative overflows or cancels are sympy functions of ours, with
their derivative in a stable form that a test compares with sympy's derivative of the definition:

    sigmoid' = sigmoid(x) sigmoid(-x)      tanh' = 4 sigmoid(2x) sigmoid(-2x)      where(c, a, b)' = where(c, a', b')

Kinks have a convention: relu and abs have slope 0 at 0, max and min give a tie to the first argument, clamp passes at its bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

import sympy as untyped_sympy

from shaderdsl.errors import InternalError, SpecError
from shaderdsl.spec.notation import Function, Index, Number, Operation, Operator, Parameter, Read, Scalar, Size

Term: TypeAlias = Any
"""A sympy expression: sympy ships no complete types, so it is Any, in this room alone."""

sympy: Any = untyped_sympy
BASE: Any = sympy.Function


class Real(BASE):  # pyright: ignore[reportUntypedBaseClass]
    """A real function that sympy keeps as it is."""

    is_real = True
    is_commutative = True


class Exp(Real):
    """exp, which sympy would split over sums and join over products."""

    def _eval_derivative(self, s: Term) -> Term:
        return self.func(*self.args) * self.args[0].diff(s)


class Sigmoid(Real):
    def _eval_derivative(self, s: Term) -> Term:
        x = self.args[0]
        return self.func(x) * self.func(-x) * x.diff(s)


class Tanh(Real):
    def _eval_derivative(self, s: Term) -> Term:
        x = self.args[0]
        return 4 * Sigmoid(2 * x) * Sigmoid(-2 * x) * x.diff(s)


class Softplus(Real):
    def _eval_derivative(self, s: Term) -> Term:
        x = self.args[0]
        return Sigmoid(x) * x.diff(s)


class Silu(Real):
    def _eval_derivative(self, s: Term) -> Term:
        x = self.args[0]
        return Sigmoid(x) * (1 + x * Sigmoid(-x)) * x.diff(s)


class Gelu(Real):
    """The tanh form, x sigmoid(2u) with u = sqrt(2/pi) (x + 0.044715 x^3)."""

    def _eval_derivative(self, s: Term) -> Term:
        x = self.args[0]
        c = sympy.Float(GELU_SCALE)
        u = 2 * c * (x + sympy.Float(GELU_CUBE) * x**3)
        slope = 2 * c * (1 + 3 * sympy.Float(GELU_CUBE) * x**2)
        return Sigmoid(u) * (1 + x * Sigmoid(-u) * slope) * x.diff(s)


GELU_SCALE = 0.7978845608028654
GELU_CUBE = 0.044715


class Abs(Real):
    def _eval_derivative(self, s: Term) -> Term:
        x = self.args[0]
        return Where(Compare_GT(x, 0), 1, Where(Compare_LT(x, 0), -1, 0)) * x.diff(s)


class Relu(Real):
    def _eval_derivative(self, s: Term) -> Term:
        x = self.args[0]
        return Where(Compare_GT(x, 0), x.diff(s), 0)


class Max(Real):
    def _eval_derivative(self, s: Term) -> Term:
        a, b = self.args
        return Where(Compare_GE(a, b), a.diff(s), b.diff(s))


class Min(Real):
    def _eval_derivative(self, s: Term) -> Term:
        a, b = self.args
        return Where(Compare_LE(a, b), a.diff(s), b.diff(s))


class Clamp(Real):
    def _eval_derivative(self, s: Term) -> Term:
        x, low, high = self.args
        inside = Compare_AND(Compare_GE(x, low), Compare_LE(x, high))
        return Where(inside, x.diff(s), Where(Compare_LT(x, low), low.diff(s), high.diff(s)))


class Where(Real):
    """`where(condition, a, b)`; nothing where both arms are the same."""

    @classmethod
    def eval(cls, condition: Term, a: Term, b: Term) -> Term:
        """The arm itself where both are the same; a number in front of the one arm comes out."""
        if a == b:
            return a
        if b == 0:
            number, rest = a.as_coeff_Mul()
            return None if number == 1 or rest == 1 else number * cls(condition, rest, b)
        return None

    def _eval_derivative(self, s: Term) -> Term:
        condition, a, b = self.args
        return Where(condition, a.diff(s), b.diff(s))


class Flat(Real):
    """A step function whose slope is zero: comparisons, flooring divisions, integer casts."""

    def _eval_derivative(self, s: Term) -> Term:
        del s
        return sympy.S.Zero


class Compare_GT(Flat): ...  # noqa: N801


class Compare_GE(Flat): ...  # noqa: N801


class Compare_LT(Flat): ...  # noqa: N801


class Compare_LE(Flat): ...  # noqa: N801


class Compare_EQ(Flat): ...  # noqa: N801


class Compare_NE(Flat): ...  # noqa: N801


class Compare_AND(Flat): ...  # noqa: N801


class Compare_OR(Flat): ...  # noqa: N801


class Compare_NOT(Flat): ...  # noqa: N801


class FloorDiv(Flat): ...


class Mod(Flat): ...


class Stopped(Real):
    """`stop_gradient(x)`: the value, with slope zero by the user's word."""

    def _eval_derivative(self, s: Term) -> Term:
        del s
        return sympy.S.Zero


class Through(Real):
    """`straight_through(f, g)`: the value of f, the slope of g."""

    def _eval_derivative(self, s: Term) -> Term:
        return self.args[1].diff(s)


OPERATORS: dict[Operator, Any] = {
    Operator.GT: Compare_GT,
    Operator.GE: Compare_GE,
    Operator.LT: Compare_LT,
    Operator.LE: Compare_LE,
    Operator.EQ: Compare_EQ,
    Operator.NE: Compare_NE,
    Operator.AND: Compare_AND,
    Operator.OR: Compare_OR,
    Operator.NOT: Compare_NOT,
    Operator.FLOOR_DIV: FloorDiv,
    Operator.MOD: Mod,
}
FUNCTIONS: dict[str, Any] = {
    "sigmoid": Sigmoid,
    "tanh": Tanh,
    "softplus": Softplus,
    "silu": Silu,
    "gelu": Gelu,
    "abs": Abs,
    "relu": Relu,
    "max": Max,
    "min": Min,
    "clamp": Clamp,
    "where": Where,
    "stop_gradient": Stopped,
    "straight_through": Through,
    "exp": Exp,
    "log": sympy.log,
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tan": sympy.tan,
    "asin": sympy.asin,
    "acos": sympy.acos,
    "atan": sympy.atan,
    "sinh": sympy.sinh,
    "cosh": sympy.cosh,
    "asinh": sympy.asinh,
    "acosh": sympy.acosh,
    "atanh": sympy.atanh,
    "atan2": sympy.atan2,
}
BACK_OPERATORS = {cls: op for op, cls in OPERATORS.items()}
BACK_FUNCTIONS = {cls: name for name, cls in FUNCTIONS.items()}


@dataclass(slots=True)
class Bridge:
    """Symbols for the leaves met so far; one Bridge serves expressions that are compared or combined."""

    leaves: dict[Scalar, Term] = field(default_factory=dict["Scalar", "Term"])
    back: dict[Term, Scalar] = field(default_factory=dict["Term", "Scalar"])
    steps: ClassVar[frozenset[str]] = frozenset({"floor", "ceil", "round", "trunc", "sign", "step", "fract"})

    def leaf(self, scalar: Scalar) -> Term:
        """The symbol of a read, index, size or parameter."""
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
            case Operation(operator, arguments):
                return operation(operator, [self.term(a) for a in arguments])
            case Function(name, arguments):
                return self.function(name, [self.term(a) for a in arguments])

    def function(self, name: str, arguments: list[Term]) -> Term:
        match name:
            case "sqrt":
                return sympy.sqrt(arguments[0])
            case "rsqrt":
                return arguments[0] ** sympy.Rational(-1, 2)
            case "exp2":
                return Exp(arguments[0] * sympy.log(2))
            case "log2":
                return sympy.log(arguments[0]) / sympy.log(2)
            case "pow":
                return arguments[0] ** arguments[1]
            case _:
                found = FUNCTIONS.get(name)
                if found is None:
                    found = FUNCTIONS[name] = type(name.title(), (Refused,), {"spelled": name})
                    BACK_FUNCTIONS[found] = name
                return found(*arguments)

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
        if term.is_Pow:
            return self.power(term)
        operator = BACK_OPERATORS.get(term.func)
        arguments = tuple(self.scalar(a) for a in term.args)
        if operator is not None:
            return Operation(operator, arguments)
        name = BACK_FUNCTIONS.get(term.func)
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
        if term.could_extract_minus_sign():
            return Operation(Operator.NEG, (self.scalar(-term),))
        above, below = sides(term)
        result = self.factors(above)
        return result if not below else Operation(Operator.DIV, (result, self.factors(below)))

    def factors(self, terms: list[Term]) -> Scalar:
        if not terms:
            return Number(1)
        result = self.scalar(terms[0])
        for term in terms[1:]:
            result = Operation(Operator.MUL, (result, self.scalar(term)))
        return result

    def power(self, term: Term) -> Scalar:
        base, exponent = term.as_base_exp()
        if exponent.is_Integer and exponent < 0:
            return Operation(Operator.DIV, (Number(1), self.scalar(base**-exponent)))
        if exponent.is_Integer:
            return Operation(Operator.POW, (self.scalar(base), Number(int(exponent))))
        if exponent.is_Rational and exponent.q == 2:
            root = Function("sqrt" if exponent > 0 else "rsqrt", (self.scalar(base),))
            times = abs(int(exponent.p))
            return root if times == 1 else Operation(Operator.POW, (root, Number(times)))
        return Function("pow", (self.scalar(base), self.scalar(exponent)))


class Refused(Real):
    """A function without a derivative here: refused by name when somebody asks for one."""

    spelled: ClassVar[str] = ""

    def _eval_derivative(self, s: Term) -> Term:
        if not any(a.has(s) for a in self.args):
            return sympy.S.Zero
        raise SpecError(
            f"{self.spelled} has no derivative",
            hints=[f"write stop_gradient({self.spelled}(x)), or straight_through({self.spelled}(x), as=x)"],
        )


def number(value: float) -> Term:
    """A float as an exact rational where that is short, so that 0.5 cancels against 2; else the float."""
    short = sympy.Rational(value)
    return short if short.q <= 1024 else sympy.Float(value)


def rational(above: int, below: int) -> Scalar:
    """A fraction: a float where a binary one is exact, else a division."""
    if below & (below - 1) == 0:
        return Number(above / below)
    return Operation(Operator.DIV, (Number(above), Number(below)))


def operation(operator: Operator, arguments: list[Term]) -> Term:
    match operator:
        case Operator.ADD:
            return arguments[0] + arguments[1]
        case Operator.SUB:
            return arguments[0] - arguments[1]
        case Operator.MUL:
            return arguments[0] * arguments[1]
        case Operator.DIV:
            return arguments[0] / arguments[1]
        case Operator.POW:
            return arguments[0] ** arguments[1]
        case Operator.NEG:
            return -arguments[0]
        case _:
            return OPERATORS[operator](*arguments)


def sides(term: Term) -> tuple[list[Term], list[Term]]:
    """Factors above and below the bar. Half-integer powers stay above, as rsqrt."""
    above: list[Term] = []
    below: list[Term] = []
    for factor in term.as_ordered_factors():
        base, exponent = factor.as_base_exp()
        if factor.is_Rational and not factor.is_Integer and factor.q & (factor.q - 1):
            if factor.p != 1:
                above.append(sympy.Integer(factor.p))
            below.append(sympy.Integer(factor.q))
        elif exponent.is_Integer and exponent < 0:
            below.append(base**-exponent)
        else:
            above.append(factor)
    return above, below
