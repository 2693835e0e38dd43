"""Expressions as WGSL text, with the fewest parentheses that both compilers agree on.

WGSL mixes fewer operators freely than C does; `OPERANDS` says which forms may stand bare on each side of an operator. Relations are
wrapped in an argument list but for its last place, since `a < b, c > d` would read as a template list.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from shaderdsl.ir.expr import (
    Binary,
    Bitcast,
    Call,
    Const,
    Construct,
    Convert,
    Element,
    ElementOf,
    Expr,
    Load,
    Member,
    MemberOf,
    Place,
    Read,
    ReadInput,
    ReadParam,
    Swizzle,
    Unary,
    Whole,
)
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import Struct
from shaderdsl.wgsl.names import Names
from shaderdsl.wgsl.spelling import const_text, type_text


class Form(Enum):
    """The syntactic class of a text."""

    PRIMARY = 0
    UNARY = 1
    MULTIPLICATIVE = 2
    ADDITIVE = 3
    SHIFT = 4
    RELATIONAL = 5
    AND = 6
    XOR = 7
    OR = 8
    LOGICAL_AND = 9
    LOGICAL_OR = 10


B = BinaryOp
FORMS = {
    **dict.fromkeys((B.MUL, B.DIV, B.REM), Form.MULTIPLICATIVE),
    **dict.fromkeys((B.ADD, B.SUB), Form.ADDITIVE),
    **dict.fromkeys((B.SHL, B.SHR), Form.SHIFT),
    **dict.fromkeys((B.EQ, B.NE, B.LT, B.LE, B.GT, B.GE), Form.RELATIONAL),
    B.AND: Form.AND,
    B.XOR: Form.XOR,
    B.OR: Form.OR,
    B.LOGICAL_AND: Form.LOGICAL_AND,
    B.LOGICAL_OR: Form.LOGICAL_OR,
}
PRIMARY = {Form.PRIMARY}
ARITHMETIC = {Form.PRIMARY, Form.MULTIPLICATIVE, Form.ADDITIVE}
OPERANDS: dict[Form, tuple[set[Form], set[Form]]] = {
    Form.MULTIPLICATIVE: ({Form.PRIMARY, Form.UNARY, Form.MULTIPLICATIVE}, PRIMARY),
    Form.ADDITIVE: (
        {Form.PRIMARY, Form.UNARY, Form.MULTIPLICATIVE, Form.ADDITIVE},
        {Form.PRIMARY, Form.MULTIPLICATIVE},
    ),
    Form.SHIFT: (PRIMARY, PRIMARY),
    Form.RELATIONAL: (ARITHMETIC | {Form.UNARY}, ARITHMETIC | {Form.UNARY}),
    Form.AND: ({Form.PRIMARY, Form.AND}, PRIMARY),
    Form.XOR: ({Form.PRIMARY, Form.XOR}, PRIMARY),
    Form.OR: ({Form.PRIMARY, Form.OR}, PRIMARY),
    Form.LOGICAL_AND: (
        {Form.PRIMARY, Form.UNARY, Form.RELATIONAL, Form.LOGICAL_AND},
        {Form.PRIMARY, Form.UNARY, Form.RELATIONAL},
    ),
    Form.LOGICAL_OR: (
        {Form.PRIMARY, Form.UNARY, Form.RELATIONAL, Form.LOGICAL_OR},
        {Form.PRIMARY, Form.UNARY, Form.RELATIONAL},
    ),
}
"""Forms that stand bare on the left and on the right. A unary minus on the right is wrapped: `a - -b` invites `--`."""


@dataclass(frozen=True, slots=True)
class ExprWriter:
    """Text of expressions, given names. `params` is the uniform variable's name."""

    names: Names

    def text(self, expr: Expr) -> str:
        """The expression where anything may stand: after `=`, inside parentheses."""
        return self.write(expr)[0]

    def argument(self, expr: Expr) -> str:
        """The expression inside a list of arguments, with more of them after it."""
        text, form = self.write(expr)
        return f"({text})" if form in (Form.RELATIONAL, Form.SHIFT, Form.LOGICAL_AND, Form.LOGICAL_OR) else text

    def operand(self, expr: Expr, allowed: set[Form]) -> str:
        text, form = self.write(expr)
        return text if form in allowed else f"({text})"

    def write(self, expr: Expr) -> tuple[str, Form]:
        match expr:
            case Const():
                text = const_text(expr)
                return text, Form.UNARY if text.startswith("-") else Form.PRIMARY
            case Read(slot):
                return self.names.of(slot), Form.PRIMARY
            case ReadInput(source):
                return source.value, Form.PRIMARY
            case ReadParam(name):
                return self.names.of(("param", name)), Form.PRIMARY
            case Load(place):
                return self.place(place), Form.PRIMARY
            case Unary(op, operand):
                return f"{op.value}{self.operand(operand, PRIMARY)}", Form.UNARY
            case Binary(op, left, right):
                form = FORMS[op]
                on_left, on_right = OPERANDS[form]
                return f"{self.operand(left, on_left)} {op.value} {self.operand(right, on_right)}", form
            case Call(builtin, arguments):
                return f"{builtin.value}({self.arguments(arguments)})", Form.PRIMARY
            case Convert(operand, type):
                return f"{type_text(type, self.names)}({self.text(operand)})", Form.PRIMARY
            case Bitcast(operand, type):
                return f"bitcast<{type_text(type, self.names)}>({self.text(operand)})", Form.PRIMARY
            case Construct(arguments, type):
                return f"{type_text(type, self.names)}({self.arguments(arguments)})", Form.PRIMARY
            case Swizzle(operand, components):
                return f"{self.operand(operand, PRIMARY)}.{''.join('xyzw'[c] for c in components)}", Form.PRIMARY
            case Member(operand, name):
                return f"{self.operand(operand, PRIMARY)}.{self.member(operand.type, name)}", Form.PRIMARY
            case Element(operand, index):
                return f"{self.operand(operand, PRIMARY)}[{self.text(index)}]", Form.PRIMARY
            case _:
                assert_never(expr)

    def arguments(self, arguments: tuple[Expr, ...]) -> str:
        """A list of arguments; nothing follows the last that could end a template list."""
        return ", ".join([*map(self.argument, arguments[:-1]), *map(self.text, arguments[-1:])])

    def place(self, place: Place) -> str:
        """A place as an expression that can be loaded, or assigned to."""
        match place:
            case Whole(variable):
                return self.names.of(variable)
            case ElementOf(base, index):
                return f"{self.place(base)}[{self.text(index)}]"
            case MemberOf(base, name):
                return f"{self.place(base)}.{self.member(base.type, name)}"
            case _:
                assert_never(place)

    def member(self, owner: object, name: str) -> str:
        """A member's name: a user's structure may have renamed it."""
        if isinstance(owner, Struct) and not owner.builtin:
            return self.names.of((owner, name))
        return name
