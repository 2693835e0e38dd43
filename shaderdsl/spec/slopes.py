"""The functions of formulas as sympy functions with slopes that stay right where the textbook's overflow, cancel or end too early.

Exp(u).diff(x) == Exp(u) * u.diff(x)      Tanh(x).diff(x) == 1 / Cosh(x)**2      Abs(x).diff(x) == Signum(x)

Kinks have a convention: relu, abs, length and distance have slope 0 at 0, so has atan2 at the origin; max and min give a tie to the first
argument, clamp passes at its bounds; pow has slope 0 by its exponent where its base is not above 0.
"""

from __future__ import annotations

from math import factorial
from typing import ClassVar

from shaderdsl.spec.meanings import GELU_CUBE, GELU_FARTHEST, GELU_SCALE
from shaderdsl.spec.real import (
    Both,
    Equal,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
    Real,
    Signum,
    Term,
    Where,
    sympy,
)


class Exp(Real):
    """exp, which sympy would split over sums and join over products."""

    @classmethod
    def eval(cls, u: Term) -> Term:
        return sympy.S.One if u == 0 else None

    def _eval_derivative(self, s: Term) -> Term:
        """exp(u) exp(v) as exp(u + v): the one may be 0 where the other is infinite, as in the slope of exp(-exp(x))."""
        inner = self.args[0].diff(s)
        return sympy.Add(*[joined(sympy.Mul(self, part)) for part in sympy.Add.make_args(inner)])


def joined(product: Term) -> Term:
    """A product with one exp at most."""
    factors = sympy.Mul.make_args(product)
    grown = [f for f in factors if isinstance(f.as_base_exp()[0], Exp)]
    if len(grown) < 2:
        return product
    exponents = [base.args[0] * times for base, times in (f.as_base_exp() for f in grown)]
    return sympy.Mul(*[f for f in factors if f not in grown], Exp(sympy.Add(*exponents)))


class Expm1(Real):
    def slope(self, x: Term) -> Term:
        return Exp(x)


class Log1p(Real):
    def slope(self, x: Term) -> Term:
        return 1 / (1 + x)


class Exprel(Real):
    """(exp(x) - 1) / x."""

    def slope(self, x: Term) -> Term:
        return ExprelSlope(x)


class ExprelSlope(Real):
    """The slope of exprel; its own is a series near 0."""

    TERMS: ClassVar[tuple[int, ...]] = tuple(range(2, 11))

    def slope(self, x: Term) -> Term:
        near = sum(sympy.Rational(k * (k - 1), factorial(k + 1)) * x ** (k - 2) for k in self.TERMS)
        far = Where(Greater(x, 0), Exprel(x) + (1 - 2 * self) / x, (Exp(x) - 2 * self) / x)
        return Where(Less(Abs(x), sympy.Rational(1, 2)), near, far)


class Growth(Real):
    """x exprel(x a), which is (exp(x a) - 1) / a: its slope by x is exp(x a), without a sum that cancels."""

    def _eval_derivative(self, s: Term) -> Term:
        x, a = self.args
        return Exp(x * a) * x.diff(s) + x**2 * ExprelSlope(x * a) * a.diff(s)


class Sigmoid(Real):
    def slope(self, x: Term) -> Term:
        return sympy.Mul(self, Sigmoid(-x))


class Sinh(Real):
    def slope(self, x: Term) -> Term:
        return Cosh(x)


class Cosh(Real):
    @classmethod
    def eval(cls, x: Term) -> Term:
        return cls(-x) if x.could_extract_minus_sign() else None

    def slope(self, x: Term) -> Term:
        return Sinh(x)


class Tanh(Real):
    """1 - tanh(x)^2 cancels beyond |x| of 4."""

    def slope(self, x: Term) -> Term:
        return sympy.Pow(Cosh(x), -2)


class OnePlusTanh(Real):
    """1 + tanh(x), which cancels below 0, as 2 sigmoid(2 x)."""

    def slope(self, x: Term) -> Term:
        return Tanh(x).slope(x)


class Asinh(Real):
    """1 / sqrt(1 + x^2), where x^2 may be infinite."""

    def slope(self, x: Term) -> Term:
        del x
        return 1 / Cosh(self)


def inverse_root(x: Term) -> Term:
    return x ** sympy.Rational(-1, 2)


class Asin(Real):
    """1 / sqrt(1 - x^2) by its factors, which do not cancel near 1."""

    def slope(self, x: Term) -> Term:
        return inverse_root(1 - x) * inverse_root(1 + x)


class Acos(Real):
    def slope(self, x: Term) -> Term:
        return -Asin(x).slope(x)


class Atanh(Real):
    """1 / (1 - x^2), which cancels near 1 as well."""

    def slope(self, x: Term) -> Term:
        del x
        return sympy.Pow(Cosh(self), 2)


class Atan(Real):
    def slope(self, x: Term) -> Term:
        return 1 / (1 + x**2)


class Acosh(Real):
    def slope(self, x: Term) -> Term:
        return inverse_root(x - 1) * inverse_root(x + 1)


class Atan2(Real):
    """atan2(y, x), by ratios to the larger of both: the sum of squares may be 0 or infinite."""

    def _eval_derivative(self, s: Term) -> Term:
        y, x = self.args
        most = Max(Abs(x), Abs(y))
        u, v = Quotient(x, most), Quotient(y, most)
        total: Term = sympy.S.Zero
        for moved, slope in ((y.diff(s), u), (x.diff(s), sympy.Mul(-1, v))):
            if moved != 0:
                total += Where(Greater(most, 0), Quotient(slope / (u**2 + v**2), most), 0) * moved
        return total


class Quotient(Real):
    """a / max(abs(b), abs(c)), a ratio that is divided before anything else: a power of it is no quotient of powers."""

    @staticmethod
    def scales(b: Term) -> bool:
        """Whether a division by b is one."""
        return isinstance(b, Max) and all(isinstance(a, Abs) for a in b.numbers)

    def _eval_derivative(self, s: Term) -> Term:
        a, b = self.args
        above, below = a.diff(s), b.diff(s)
        found: Term = Quotient(above, b) if above != 0 else sympy.S.Zero
        return found - sympy.Mul(self, Quotient(below, b)) if below != 0 else found


class Softplus(Real):
    def slope(self, x: Term) -> Term:
        return Sigmoid(x)


class Silu(Real):
    """x sigmoid(x)."""

    def slope(self, x: Term) -> Term:
        return SiluSlope(x)


class SiluSlope(Real):
    """sigmoid(x) (1 + x sigmoid(-x)), which is not lost as early as sigmoid(x) is."""

    def slope(self, x: Term) -> Term:
        above, below = sympy.sympify(Sigmoid(x)), sympy.sympify(Sigmoid(-x))
        return above * below * (2 + x * (below - above))


class Gelu(Real):
    """The tanh form, x sigmoid(v) with v = 2 sqrt(2/pi) (x + 0.044715 x^3)."""

    def slope(self, x: Term) -> Term:
        return GeluSlope(x)


class GeluSlope(Real):
    """sigmoid(v) (1 + x sigmoid(-v) v'); its own slope is 0 far from 0, where powers of x would overflow."""

    def slope(self, x: Term) -> Term:
        x = Clamp(x, -int(GELU_FARTHEST), int(GELU_FARTHEST))
        scale, cube = sympy.Float(2 * GELU_SCALE), sympy.Float(GELU_CUBE)
        v, grows, bends = scale * (x + cube * x**3), scale * (1 + 3 * cube * x**2), scale * 6 * cube * x
        above, below = sympy.sympify(Sigmoid(v)), sympy.sympify(Sigmoid(-v))
        return above * below * (2 * grows + x * (bends + grows**2 * (below - above)))


class Kinked(Real):
    """A function with kinks. Behind its arguments stand the same numbers once more, where algebra might round them in another way:

    as the formula writes them, to say on which side of a kink one is.
    """

    arity: ClassVar[int] = 1

    @property
    def numbers(self) -> tuple[Term, ...]:
        return self.args[: self.arity]

    @property
    def compared(self) -> tuple[Term, ...]:
        return self.args[self.arity :] or self.args


class Abs(Kinked):
    @classmethod
    def eval(cls, x: Term, *exact: Term) -> Term:
        del exact
        return abs(x) if x.is_Number else None

    def slope(self, x: Term) -> Term:
        del x
        return Signum(*self.compared)


class Relu(Kinked):
    def _eval_derivative(self, s: Term) -> Term:
        return Where(Greater(*self.compared, 0), self.args[0].diff(s), 0)


class Max(Kinked):
    arity = 2

    def _eval_derivative(self, s: Term) -> Term:
        a, b = self.numbers
        return Where(GreaterEqual(*self.compared), a.diff(s), b.diff(s))


class Min(Kinked):
    arity = 2

    def _eval_derivative(self, s: Term) -> Term:
        a, b = self.numbers
        return Where(LessEqual(*self.compared), a.diff(s), b.diff(s))


class Clamp(Kinked):
    """min(max(x, low), high), so that `high` wins where the bounds are crossed."""

    arity = 3

    def _eval_derivative(self, s: Term) -> Term:
        x, low, high = self.compared
        slopes = [a.diff(s) for a in self.numbers]
        inside = Both(GreaterEqual(x, low), LessEqual(x, high))
        return Where(inside, slopes[0], Where(Less(x, low), slopes[1], slopes[2]))


class Smoothstep(Real):
    """t^2 (3 - 2 t) for t = (x - low) / (high - low) within 0 and 1; 1 - t from the other end, exactly."""

    def _eval_derivative(self, s: Term) -> Term:
        low, high, x = self.args
        t, left = (x - low) / (high - low), (high - x) / (high - low)
        return 6 * Clamp(t, 0, 1) * Clamp(left, 0, 1) * t.diff(s)


class Power(Real):
    """pow(x, p), where p is no number, or x itself a power or a product, which sympy would take apart."""

    def _eval_derivative(self, s: Term) -> Term:
        x, p = self.args
        by_base, by_exponent = x.diff(s), p.diff(s)
        total: Term = sympy.S.Zero
        if by_base != 0:
            lowered = p * Power(x, p - 1)
            total += (lowered if p.is_number else Where(Equal(p, 0), 0, lowered)) * by_base
        if by_exponent != 0:
            total += Where(Greater(x, 0), self * sympy.log(x), 0) * by_exponent
        return total


class Ldexp(Real):
    """x 2^n."""

    def _eval_derivative(self, s: Term) -> Term:
        x, n = self.args
        return Ldexp(1, n) * x.diff(s) + self * sympy.log(2) * n.diff(s)


GROWING = (Exp, Expm1, Exprel, ExprelSlope, Growth, Sinh, Cosh)
"""Functions that overflow early: over a common denominator both sides may be infinite."""
