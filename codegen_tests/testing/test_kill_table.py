"""The kill matrix says of each op and kind what was caught, what is equivalent and what survived."""

from __future__ import annotations

from shaderdsl.testing.kill_table import kill_matrix_table
from shaderdsl.testing.report import Kills, Report

REPORTS = (
    Report("softmax", "", "d", (), (Kills("dropped term", 2, 2, 0), Kills("wrong sign", 1, 1, 0))),
    Report("add", "", "d", (), (Kills("identity", 2, 0, 2, proved=("d_a: d_y", "d_b: d_y")),)),
    Report("bad", "", "d", (), (Kills("dropped term", 2, 1, 0, ("d_x: x[i]",)),)),
    Report("fill", "", "", ()),
)
EXPECTED = """\
a dropped term
b wrong sign
c identity
            a     b     c
softmax     2     1     .
add         .     .   0+2
bad       1!1     .     .
dropped term                3 of     4 caught,   0 equivalent, in 2 ops
wrong sign                  1 of     1 caught,   0 equivalent, in 1 ops
identity                    0 of     2 caught,   2 equivalent, in 1 ops
equivalent: add, identity, d_a: d_y
equivalent: add, identity, d_b: d_y"""


def test_the_table_is_whole() -> None:
    assert kill_matrix_table(REPORTS) == EXPECTED.splitlines()


def test_nothing_makes_no_table() -> None:
    assert kill_matrix_table(REPORTS[3:]) == []
