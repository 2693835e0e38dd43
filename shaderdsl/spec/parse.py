"""Formulas as text into specs.

    softmax = parse_spec("softmax", '''
        m[i] = max(j) x[i, j]
        e[i, j] = exp(x[i, j] - m[i])
        s[i] = sum(j) e[i, j]
        y[i, j] = e[i, j] / s[i]
    ''')

A line whose right side is a call of a spec of the `library` with bare tensor names takes that spec's stages over, under fresh
names: `p = softmax(scores)`, `q, r = rope(x, base=1e4)`. Arguments go by position or by name, scalars may be any expression of scalars.
A name of the table of functions is always the function.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, UnexpectedCharacters, UnexpectedToken

from shaderdsl.errors import SpecError
from shaderdsl.spec.lines import logical_lines, marked, part_of
from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.resolve import resolve
from shaderdsl.spec.syntax import Formula, Line, Part, StageLine, parts_of
from shaderdsl.spec.tree import Builder

DEEPEST = 150
"""Levels of an expression: more would not fit Python's stack, nor a reader's mind."""


def parse_spec(name: str, formula: str, library: Mapping[str, OpSpec] | None = None) -> OpSpec:
    """The spec that a formula writes; a SpecError points into the formula. `library`: specs that lines may call, by name."""
    text = Formula(name, formula)
    return resolve(text, parse_lines(text), library or {})


def parse_lines(formula: Formula) -> list[Line]:
    """The lines of a formula as syntax."""
    parser = grammar()
    state = parser.parse_interactive()
    last = Token("NEWLINE", "\n")
    try:
        for line in logical_lines(parser.lex(formula.text), formula):
            for last in (*marked(line, formula), line_end(line[-1])):
                state.feed_token(last)
        lines: list[Line] = state.feed_eof(last)
    except UnexpectedCharacters as error:
        at: Any = error.pos_in_stream
        raise wrong_character(formula, at) from None
    except UnexpectedToken as error:
        token: Any = error.token
        raise wrong_token(formula, token, set(error.expected or ())) from None
    for line in lines:
        check_depth(formula, line)
    return lines


@lru_cache(maxsize=1)
def grammar() -> Any:
    """The parser, built once; Any, since lark types its tokens in part only."""
    text = (Path(__file__).parent / "grammar.lark").read_text("utf-8")
    return Lark(
        text, parser="lalr", lexer="basic", keep_all_tokens=True, maybe_placeholders=False, transformer=Builder()
    )


def line_end(after: Token) -> Token:
    end = part_of(after).end
    return Token("NEWLINE", "\n", start_pos=end, end_pos=end + 1)


CHARACTER_HINTS = {
    "^": "write ** for a power, bit_xor(a, b) for bits",
    "&": "write and between conditions, bit_and(a, b) for bits",
    "|": "write or between conditions, bit_or(a, b) for bits",
    "!": "write not",
    "@": "write the contraction: sum(k) a[i, k] * b[k, j]",
    "·": "write *",
    "×": "write *",
    "−": "write the - of the keyboard",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
    "~": "write not between conditions, bit_not(a) for bits",
    "?": "choose with where(condition, chosen, otherwise)",
    "\xa0": "write a plain space",
    '"': 'close the words: because="the target is fixed"',
    "'": 'close the words: because="the target is fixed"',
    "\\": "a line goes on inside brackets",
}


TOKEN_HINTS = {
    ";": "one stage a line: start another one",
    "<=": "write i < n: indices start at 0",
    ">": "write i < n: indices start at 0",
    ">=": "write i < n: indices start at 0",
    ":": "write = alone",
}
"""For a token that stands on the left side, or after what is whole."""


def wrong_character(formula: Formula, at: int) -> SpecError:
    """A character that no formula has."""
    found = formula.text[at]
    hint = CHARACTER_HINTS.get(found, "formulas have names, numbers, brackets and Python's operators")
    return SpecError(f"a formula has no {found!r}", formula.place(Part(at, at + 1)), hints=[hint])


def wrong_token(formula: Formula, token: Token, accepted: set[str]) -> SpecError:
    """A token where the grammar has none."""
    where = formula.place(part_of(token))
    operand = "NUMBER" in accepted
    if token.type == "TEXT":
        hint = 'only a reason is in quotes: stop_gradient(x[i], because="the target is fixed")'
        return SpecError("words stand where they mean nothing", where, hints=[hint])
    if token.type == "NEWLINE":
        want = "an operand" if operand else "a closing bracket" if accepted & {"RPAR", "RSQB"} else "more"
        return SpecError(f"the line ends where {want} should follow", where, hints=["a line goes on inside brackets"])
    if token == "=":
        return SpecError("a stage has one =", where, hints=["compare with =="])
    if operand:
        return SpecError(
            f"{token} stands where an operand should", where, hints=["write a name, a number or a read x[i]"]
        )
    if "PLUS" in accepted:
        hint = "put an operator before it; sum, max and min reduce where they stand first: name a stage"
        return SpecError(f"{token} follows a whole expression", where, hints=[hint])
    if "NAME" in accepted:
        return SpecError(f"{token} stands where a name should", where, hints=["write a bare name"])
    hint = TOKEN_HINTS.get(str(token), "write name[indices] = expression")
    return SpecError(f"{token} does not belong here", where, hints=[hint])


def check_depth(formula: Formula, line: Line) -> None:
    """Refuse what is nested so deep that no reader could follow it."""
    if not isinstance(line, StageLine):
        return
    stack = [(v, 1) for v in line.values]
    while stack:
        node, depth = stack.pop()
        if depth > DEEPEST:
            raise SpecError(
                f"this expression is nested more than {DEEPEST} deep",
                formula.place(line.at),
                hints=["name a stage for a part of it"],
            )
        stack += ((part, depth + 1) for part in parts_of(node))
