"""The kill matrix of a library as a table: a line an op, a column a kind of wrong backward.

print("\\n".join(kill_matrix_table(reports)))

    a dropped term
    b wrong sign
                     a     b
    softmax          2     1
    add              .   1+1        one caught, and one proved to be the same backward
    bad            1!1     .        one caught, and one not
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_letters

from shaderdsl.testing.report import Kills, Report

WIDE = 6


def kill_matrix_table(reports: Sequence[Report]) -> list[str]:
    """The legend, the table, the sums of each kind, and every mutant that is proved to be the same backward."""
    kinds = list(dict.fromkeys(k.kind for r in reports for k in r.kills))
    tried = [r for r in reports if r.kills]
    if not tried:
        return []
    name = max(len(r.op) for r in tried)
    letters = dict(zip(kinds, ascii_letters))
    lines = [f"{letters[kind]} {kind}" for kind in kinds]
    lines.append(" " * name + "".join(f"{letters[kind]:>{WIDE}}" for kind in kinds))
    for report in tried:
        found = {k.kind: k for k in report.kills}
        lines.append(f"{report.op:{name}}" + "".join(f"{cell(found.get(kind)):>{WIDE}}" for kind in kinds))
    return [*lines, *sums(tried, kinds), *equivalents(tried)]


def cell(kills: Kills | None) -> str:
    """How many were caught, then how many are equivalent and how many survived."""
    if kills is None:
        return "."
    survived = f"!{len(kills.survivors)}" if kills.survivors else ""
    return f"{kills.caught}{f'+{kills.equivalent}' if kills.equivalent else ''}{survived}"


def sums(reports: Sequence[Report], kinds: Sequence[str]) -> Iterator[str]:
    """Each kind over all ops."""
    for kind in kinds:
        every = [k for r in reports for k in r.kills if k.kind == kind]
        made, caught, same = (sum(getattr(k, f) for k in every) for f in ("made", "caught", "equivalent"))
        yield f"{kind:24}{caught:5} of {made:5} caught, {same:3} equivalent, in {len(every)} ops"


def equivalents(reports: Sequence[Report]) -> Iterator[str]:
    """What algebra shows to be no fault, by op and kind."""
    for report in reports:
        for kills in report.kills:
            yield from (f"equivalent: {report.op}, {kills.kind}, {where}" for where in kills.proved)
