"""Tokens into logical lines: brackets continue a line, and the words that lead a line get their meaning there.

`max` and `min` that stand first are reductions if every argument is a bare name that indexes something later in the line and
does not stand on the left: `m[i] = max(j) x[i, j]`; else they are functions: `y[i] = max(a, x[i])`.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from lark import Token

from shaderdsl.errors import SpecError
from shaderdsl.spec.syntax import Formula, Part

ALWAYS_FIRST = ("sum", "prod", "mean")
FIRST_BY_RULE = ("max", "min")
LOGIC = {"and": "AND", "or": "OR", "not": "NOT"}
NOT_NUMBERS = ("inf", "nan")
KEYWORDS_ALLOWED = ("as",)
CHOICE = "choose with where(condition, chosen, otherwise)"
WORDS = {
    "if": CHOICE,
    "else": CHOICE,
    "True": "write 1 > 0",
    "False": "write 1 < 0",
    "is": "compare with ==",
    "in": "write an extent as i < n",
}
"""What to write for a word of Python that means something there."""
OPENING, CLOSING = {"(": ")", "[": "]"}, {")": "(", "]": "["}


def part_of(token: Token) -> Part:
    """Where a token stands."""
    start = token.start_pos or 0
    return Part(start, start + len(token))


def logical_lines(tokens: Iterable[Token], formula: Formula) -> Iterator[list[Token]]:
    """The tokens of each line that holds any, the newlines inside brackets dropped."""
    line: list[Token] = []
    opened: list[Token] = []
    for token in tokens:
        if token.type == "NEWLINE":
            if not opened and line:
                yield line
                line = []
            continue
        line.append(token)
        if token in OPENING:
            opened.append(token)
        elif token in CLOSING:
            close(opened, token, formula)
    if opened:
        raise SpecError(
            f"this {opened[-1]} is never closed",
            formula.place(part_of(opened[-1])),
            hints=[f"add a {OPENING[str(opened[-1])]}"],
        )
    if line:
        yield line


def close(opened: list[Token], token: Token, formula: Formula) -> None:
    """Take the bracket that a closing one answers."""
    if not opened or opened[-1] != CLOSING[str(token)]:
        where = formula.place(part_of(token))
        raise SpecError(
            f"this {token} closes nothing", where, hints=[f"remove it, or add a {CLOSING[str(token)]} before it"]
        )
    opened.pop()


def marked(line: Sequence[Token], formula: Formula) -> list[Token]:
    """The line with its leading words told from names."""
    line = [check_word(t, formula) for t in line]
    if line[0] == "given" and len(line) > 1 and line[1].type == "NAME":
        return [retyped(line[0], "GIVEN"), *line[1:]]
    right = assignment(line)
    if right is None:
        return declaration(line, formula)
    return [*line[:right], *right_side(line[:right], line[right:], formula)]


def retyped(token: Token, kind: str) -> Token:
    """The same token under another type."""
    return Token.new_borrow_pos(kind, token, token)


def check_word(token: Token, formula: Formula) -> Token:
    """A word that is an operator gets its type; one that can name nothing is refused."""
    if token.type != "NAME":
        return token
    if token in LOGIC:
        return retyped(token, LOGIC[str(token)])
    if keyword.iskeyword(token) and token not in KEYWORDS_ALLOWED:
        raise SpecError(
            f"{token} is a word of Python and names nothing here",
            formula.place(part_of(token)),
            hints=[WORDS.get(str(token), f"write {token}_")],
        )
    if token in NOT_NUMBERS:
        raise SpecError(
            f"{token} is not a number of a formula",
            formula.place(part_of(token)),
            hints=["a mask takes a large finite number: write -1e30"],
        )
    return token


def assignment(line: Sequence[Token]) -> int | None:
    """The position after the line's `=`, or None."""
    depth = 0
    for i, token in enumerate(line):
        depth += (token in OPENING) - (token in CLOSING)
        if depth == 0 and token == "=":
            return i + 1
    return None


def declaration(line: list[Token], formula: Formula) -> list[Token]:
    """A line without `=`: `out(..)` or `saved(..)`."""
    for word, kind in (("out", "OUT"), ("saved", "SAVED")):
        if line[0] == word and len(line) > 1 and line[1] == "(":
            return [retyped(line[0], kind), *line[1:]]
    whole = Part(part_of(line[0]).start, part_of(line[-1]).end)
    raise SpecError(
        "this line defines nothing",
        formula.place(whole),
        hints=["a stage is written y[i] = ..., the outputs out(y, z)"],
    )


def right_side(left: Sequence[Token], right: list[Token], formula: Formula) -> list[Token]:
    """The right side with its reduction or scan marked; a reserved word anywhere else is refused."""
    for token in left:
        refuse_reserved(token, formula, "is reserved", f"choose another name: {token}_")
    if not right:
        raise SpecError(
            "nothing stands right of =", formula.place(part_of(left[-1])), hints=["write what the stage computes"]
        )
    first = right[0]
    if first == "scan":
        return scanned(right, formula)
    if first in ALWAYS_FIRST or (first in FIRST_BY_RULE and reduces(left, right)):
        check_listed(right, formula)
        return [retyped(first, "REDUCE"), *plain(right[1:], formula)]
    return plain(right, formula)


def scanned(right: Sequence[Token], formula: Formula) -> list[Token]:
    """`scan(t, start=..)`: the word start is one only there."""
    end = closing(right, 1) if len(right) > 1 and right[1] == "(" else None
    if end is None or end < 3 or right[2].type != "NAME":
        raise SpecError("scan takes the index it runs along", formula.place(part_of(right[0])), hints=["write scan(t)"])
    rest = plain(right[1:], formula)
    depth = 0
    for i in range(end - 1):
        depth += (rest[i] in OPENING) - (rest[i] in CLOSING)
        if depth == 1 and rest[i] == "start" and rest[i + 1] == "=":
            rest[i] = retyped(rest[i], "START")
    return [retyped(right[0], "SCAN"), *rest]


def plain(tokens: Sequence[Token], formula: Formula) -> list[Token]:
    """Tokens among which no reduction may stand; `fill=` before a fill says nothing and goes."""
    for token in tokens:
        hint = f"name a stage: s[i] = {token}(j) ..., and read s[i]"
        refuse_reserved(token, formula, "stands first on the right side only", hint)
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        kept.append(tokens[at])
        named = tokens[at] == ";" and [str(t) for t in tokens[at + 1 : at + 3]] == ["fill", "="]
        at += 3 if named else 1
    return kept


def refuse_reserved(token: Token, formula: Formula, why: str, hint: str) -> None:
    if token.type == "NAME" and token in (*ALWAYS_FIRST, "scan"):
        raise SpecError(f"{token} {why}", formula.place(part_of(token)), hints=[hint])


def closing(tokens: Sequence[Token], start: int) -> int | None:
    """The position of the bracket that answers the one at `start`."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i] in OPENING) - (tokens[i] in CLOSING)
        if depth == 0:
            return i
    return None


def listed(right: Sequence[Token]) -> list[Token] | None:
    """The names in `sum(i, j < n)`, or None where something else stands there."""
    end = closing(right, 1) if len(right) > 1 and right[1] == "(" else None
    if end is None or end == 2:
        return None
    names: list[Token] = []
    depth, fresh = 0, True
    for i in range(2, end):
        token = right[i]
        if fresh:
            if token.type != "NAME" or right[i + 1] not in (",", "<", ")"):
                return None
            names.append(token)
        depth += (token in OPENING) - (token in CLOSING)
        fresh = depth == 0 and token == ","
    return None if fresh else names


def check_listed(right: Sequence[Token], formula: Formula) -> None:
    """A reduction takes names of indices."""
    if listed(right) is None:
        raise SpecError(
            f"{right[0]} takes the indices that it runs over",
            formula.place(part_of(right[0])),
            hints=[f"write {right[0]}(j) x[i, j], or {right[0]}(j < n) with an extent"],
        )


def reduces(left: Sequence[Token], right: Sequence[Token]) -> bool:
    """Whether a leading max or min is a reduction; a name with an extent is an index wherever it stands."""
    names = listed(right)
    if names is None:
        return False
    end = closing(right, 1)
    used = indexing(right[(end or 0) + 1 :])
    extended = {str(a) for a, b in pairwise(right[2:end]) if b == "<"}
    standing = indexing(left)
    return all((str(n) in used or str(n) in extended) and str(n) not in standing for n in names)


def indexing(tokens: Sequence[Token]) -> set[str]:
    """The names that stand inside square brackets, before a fill."""
    found: set[str] = set()
    inside: list[bool] = []
    for i, token in enumerate(tokens):
        if token in OPENING:
            inside.append(token == "[" or (bool(inside) and inside[-1]))
        elif token in CLOSING:
            inside.pop()
        elif token == ";" and inside:
            inside[-1] = False
        elif token.type == "NAME" and inside and inside[-1] and not sized(tokens, i):
            found.add(str(token))
    return found


def sized(tokens: Sequence[Token], at: int) -> bool:
    """Whether the name is that of a call, of a tensor read there, or stands in `size(..)`."""
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return after in ("(", "[") or (at >= 2 and tokens[at - 1] == "(" and tokens[at - 2] == "size")
