"""The base of the functions of formulas in sympy: conditions, choices and what has no slope or is told to have none.

Where(c, a, b).diff(x) == Where(c, a.diff(x), b.diff(x))      Greater(a, b).diff(x) == 0      Stopped(a).diff(x) == 0
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeAlias

import sympy as untyped_sympy

from shaderdsl.errors import InternalError, SpecError

Term: TypeAlias = Any
"""A sympy expression: sympy ships no complete types, so it is Any, in this room alone."""

sympy: Any = untyped_sympy
BASE: Any = sympy.Function


class Real(BASE):  # pyright: ignore[reportUntypedBaseClass]
    """A real function that sympy keeps as it is."""

    is_real = True
    is_commutative = True

    def slope(self, x: Term) -> Term:
        """The slope of a function of one argument."""
        raise InternalError(f"{type(self).__name__}({x}) has no slope")

    def _eval_derivative(self, s: Term) -> Term:
        inner = self.args[0].diff(s)
        return sympy.S.Zero if inner == 0 else self.slope(self.args[0]) * inner


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


class Signum(Flat):
    """1, -1 or 0 as a number is above, below or at 0; times that number it is `abs`."""

    @classmethod
    def eval(cls, x: Term) -> Term:
        return sympy.Mul(-1, cls(-x)) if x.could_extract_minus_sign() else None

    def chosen(self) -> Term:
        """As a formula writes it."""
        x = self.args[0]
        return Where(Greater(x, 0), 1, Where(Less(x, 0), -1, 0))

    @staticmethod
    def is_spelled(condition: Term, a: Term, b: Term) -> bool:
        """Whether that is what a `where` says."""
        x = condition.args[0] if isinstance(condition, Greater) else None
        return x is not None and a == 1 and Where(condition, a, b) == Where(Greater(x, 0), 1, Where(Less(x, 0), -1, 0))


class Greater(Flat): ...


class GreaterEqual(Flat): ...


class Less(Flat): ...


class LessEqual(Flat): ...


class Equal(Flat): ...


class Unequal(Flat): ...


COMPARISONS = (Greater, GreaterEqual, Less, LessEqual, Equal, Unequal)


class Both(Flat): ...


class Either(Flat): ...


class Negation(Flat): ...


class FloorDiv(Flat): ...


class Mod(Flat): ...


Reason: Any = sympy.core.symbol.Str
"""Words, as an argument that holds no symbol."""


class Stopped(Real):
    """`stop_gradient(x)`, with the reason if one is given: the value, with slope zero by the user's word."""

    def _eval_derivative(self, s: Term) -> Term:
        del s
        return sympy.S.Zero


class Through(Real):
    """`straight_through(f, g)`: the value of f, the slope of g."""

    def _eval_derivative(self, s: Term) -> Term:
        return self.args[1].diff(s)


class Refused(Real):
    """A function without a derivative here: refused by name when somebody asks for one."""

    spelled: ClassVar[str] = ""

    def _eval_derivative(self, s: Term) -> Term:
        if all(a.diff(s) == 0 for a in self.args):
            return sympy.S.Zero
        raise SpecError(
            f"{self.spelled} has no derivative",
            hints=[f"write stop_gradient({self.spelled}(x)), or straight_through({self.spelled}(x), as=x)"],
        )
