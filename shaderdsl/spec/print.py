"""Specs as the text of formulas, which parses back to an equal spec.

format_spec(spec)       # "given x[i, j]\nm[i] = max(j) x[i, j]\n..."
format_scalar(Operation(MUL, (Operation(ADD, (a, b)), c)))      # "(a + b) * c"

Parentheses stand only where precedence needs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from shaderdsl.errors import InternalError
from shaderdsl.spec.notation import (
    Bound,
    Dtype,
    Function,
    Index,
    Input,
    Number,
    Operation,
    Operator,
    OpSpec,
    Parameter,
    Read,
    Reduction,
    Scalar,
    ScalarInput,
    Scan,
    Size,
    Stage,
    Target,
)

LEVELS: dict[Operator, tuple[int, int, int]] = {
    Operator.OR: (1, 1, 2),
    Operator.AND: (2, 2, 3),
    Operator.EQ: (4, 5, 5),
    Operator.NE: (4, 5, 5),
    Operator.LT: (4, 5, 5),
    Operator.LE: (4, 5, 5),
    Operator.GT: (4, 5, 5),
    Operator.GE: (4, 5, 5),
    Operator.ADD: (5, 5, 6),
    Operator.SUB: (5, 5, 6),
    Operator.MUL: (6, 6, 7),
    Operator.DIV: (6, 6, 7),
    Operator.FLOOR_DIV: (6, 6, 7),
    Operator.MOD: (6, 6, 7),
    Operator.POW: (8, 9, 7),
}
"""Of each operator between two operands: its level, and the least levels that its left and right operand have bare."""

NOT_LEVEL, SIGN_LEVEL, ATOM = 3, 7, 9


def format_spec(spec: OpSpec) -> str:
    """The whole formula, a stage a line."""
    return "\n".join(lines_of(spec))


def lines_of(spec: OpSpec) -> Iterator[str]:
    if spec.inputs:
        yield f"given {', '.join(map(format_input, spec.inputs))}"
    yield from map(format_stage, spec.stages)
    if spec.saved:
        yield f"saved({', '.join(spec.saved)})"
    if spec.outputs != tuple(t.name for t in spec.stages[-1].targets):
        yield f"out({', '.join(spec.outputs)})"


def format_input(given: Input) -> str:
    """`x[..., i]`, `ids[i]: i32`, `eps`; an axis without a name is `_`."""
    dtype = "" if given.dtype is Dtype.F32 else f": {given.dtype.value}"
    if isinstance(given, ScalarInput):
        return f"{given.name}{dtype}"
    return f"{given.name}{bracketed(['_' if a is None else a for a in given.axes], given.leading)}{dtype}"


def bracketed(items: list[str], leading: bool) -> str:
    return f"[{', '.join([*(['...'] if leading else []), *items])}]"


def format_stage(stage: Stage) -> str:
    """One line."""
    left = ", ".join(map(format_target, stage.targets))
    values = ", ".join(map(format_scalar, stage.values))
    match stage.how:
        case None:
            return f"{left} = {apart(stage.values[0], values)}"
        case Reduction(kind, over):
            return f"{left} = {kind.value}({format_bounds(over)}) {values}"
        case Scan(index, _, starts):
            return f"{left} = scan({index}{format_starts(starts)}) {values}"
        case _:
            assert_never(stage.how)


def apart(value: Scalar, text: str) -> str:
    """In parentheses where a leading max or min of bare names could be read as a reduction."""
    first: Scalar = value
    while isinstance(first, Operation) and first.operator in LEVELS:
        first = first.arguments[0]
    if not isinstance(first, Function) or first.name not in ("max", "min") or not text.startswith(first.name):
        return text
    bare = [isinstance(a, Index | Parameter) or "<" in format_scalar(a) for a in first.arguments]
    return f"({text})" if any(bare) else text


def format_starts(starts: tuple[Scalar, ...] | None) -> str:
    if starts is None:
        return ""
    texts = [format_scalar(s) for s in starts]
    return f", start={texts[0]}" if len(texts) == 1 else f", start=({', '.join(texts)})"


def format_target(target: Target) -> str:
    """`y[..., i < n]`, or the bare name of a scalar."""
    if not target.bounds and not target.leading:
        return target.name
    return f"{target.name}{bracketed([format_bound(b) for b in target.bounds], target.leading)}"


def format_bounds(bounds: tuple[Bound, ...]) -> str:
    return ", ".join(map(format_bound, bounds))


def format_bound(bound: Bound) -> str:
    return bound.name if bound.extent is None else f"{bound.name} < {bare_from(bound.extent, 5)}"


def format_scalar(scalar: Scalar) -> str:
    """An expression with the fewest parentheses."""
    return written(scalar)[0]


def bare_from(scalar: Scalar, level: int) -> str:
    """The expression, in parentheses where it binds less tightly than `level`."""
    text, own = written(scalar)
    return text if own >= level else f"({text})"


def written(scalar: Scalar) -> tuple[str, int]:
    """The text of an expression and how tightly it binds."""
    match scalar:
        case Number(value):
            return format_number(value), SIGN_LEVEL if value < 0 or str(value).startswith("-") else ATOM
        case Index(name) | Parameter(name):
            return name, ATOM
        case Size(name):
            return f"size({name})", ATOM
        case Read():
            return format_read(scalar), ATOM
        case Function(name, arguments, because):
            texts = [format_scalar(a) for a in arguments]
            if because:
                texts.append(f"because={quoted(because)}")
            if name == "straight_through":
                texts[1] = f"as={texts[1]}"
            return f"{name}({', '.join(texts)})", ATOM
        case Operation(operator, arguments):
            return format_operation(operator, arguments)
        case _:
            assert_never(scalar)


def quoted(text: str) -> str:
    """In the quotes that do not stand in it; a text has one kind at most."""
    return f"'{text}'" if '"' in text else f'"{text}"'


def format_operation(operator: Operator, arguments: tuple[Scalar, ...]) -> tuple[str, int]:
    """An operator between its operands, or before its only one."""
    if operator is Operator.NOT:
        return f"not {bare_from(arguments[0], NOT_LEVEL)}", NOT_LEVEL
    if operator is Operator.NEG:
        inner = arguments[0]
        # The sign of a bare number is part of it: the negation of a number keeps its parentheses.
        text = f"({format_scalar(inner)})" if isinstance(inner, Number) else bare_from(inner, SIGN_LEVEL)
        return f"-{text}", SIGN_LEVEL
    own, left, right = LEVELS[operator]
    first, second = arguments
    return f"{bare_from(first, left)} {operator.value} {bare_from(second, right)}", own


def format_number(value: int | float) -> str:
    """Digits that read back to the same number; infinity as a number that overflows to it."""
    if value != value:
        raise InternalError("a formula has no NaN")
    return repr(value).replace("inf", "1e999")


def format_read(read: Read) -> str:
    """`x[..., i; fill]`; a scalar stage is its bare name."""
    if not read.indices and not read.leading:
        return read.tensor
    fill = f"; {format_scalar(read.fill)}" if read.fill is not None else ""
    return f"{read.tensor}{bracketed([format_scalar(i) for i in read.indices], read.leading)[:-1]}{fill}]"
