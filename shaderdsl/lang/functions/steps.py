"""The small operations that a composed function is made of: folded where constant, else recorded without a name.

at = Steps(loc)
at.binary(BinaryOp.SUB, x, at.call(Builtin.FLOOR, x))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shaderdsl.ir import build
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Expr
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import Scalar, Type, is_float, scalar_of
from shaderdsl.lang import fold
from shaderdsl.lang.value import let
from shaderdsl.numeric.builtins import call as numeric_call
from shaderdsl.numeric.convert import bitcast as numeric_bitcast
from shaderdsl.numeric.convert import convert as numeric_convert
from shaderdsl.numeric.operators import binary as numeric_binary
from shaderdsl.numeric.operators import unary as numeric_unary
from shaderdsl.source import Loc


@dataclass(frozen=True, slots=True)
class Steps:
    """Operations on expressions, at one place of the user's source; None inside an emitted function."""

    loc: Loc | None

    def number(self, value: float, like: Type) -> Expr:
        """A number as the scalar, or as a vector of it, that `like` is."""
        scalar = scalar_of(like) or fold.F32
        constant = fold.number(value, scalar, self.loc)
        return constant if isinstance(like, Scalar) else build.construct(like, [constant], self.loc)

    def unary(self, op: UnaryOp, x: Expr) -> Expr:
        node = build.unary(op, x, self.loc)
        value = fold.constant(x)
        return let(node, self.loc) if value is None else self.folded(numeric_unary(op, value, x.type), node)

    def binary(self, op: BinaryOp, left: Expr, right: Expr) -> Expr:
        fold.check_operands(op, left, right, self.loc)
        node = build.binary(op, left, right, self.loc)
        a, b = fold.constant(left), fold.constant(right)
        if not fold.known(a, b):
            return let(node, self.loc)
        return self.folded(numeric_binary(op, a, b, left.type, right.type), node)

    def call(self, builtin: Builtin, *arguments: Expr) -> Expr:
        node = build.call(builtin, arguments, self.loc)
        values = [fold.constant(a) for a in arguments]
        if not fold.known(*values):
            return let(node, self.loc)
        return self.folded(numeric_call(builtin, values, [a.type for a in arguments], node.type), node)

    def convert(self, x: Expr, target: Type) -> Expr:
        node = build.convert(x, target, self.loc)
        value = fold.constant(x)
        if node is x or value is None:
            return x if node is x else let(node, self.loc)
        return self.folded(numeric_convert(value, x.type, target), node)

    def bitcast(self, x: Expr, target: Type) -> Expr:
        node = build.bitcast(x, target, self.loc)
        value = fold.constant(x)
        return let(node, self.loc) if value is None else self.folded(numeric_bitcast(value, x.type, target), node)

    def folded(self, value: Any, node: Expr) -> Expr:
        """A constant result. -0.0 has no literal and WGSL promises no sign of zero, so inside a formula it is 0."""
        return fold.from_constant(value + 0.0 if is_float(node.type) else value, node.type, self.loc)
