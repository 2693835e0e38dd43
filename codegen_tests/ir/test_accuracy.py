"""The accuracy table against the specification's figures in the conformance data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import assert_never

import pytest

from codegen_tests.numeric.conformance import data_folder
from shaderdsl.ir.accuracy import (
    ACCURACY,
    Absolute,
    Bound,
    CorrectlyRounded,
    Inherited,
    Operation,
    Ulps,
    UlpsWithin,
    Unbounded,
    WorseOf,
)
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.operators import COMPARISONS, BinaryOp, UnaryOp

ELSEWHERE = re.compile(r"dpd|fwidth|subgroup|quad")
"""Operations of fragments and subgroups, which no table here has."""


def operation_of(row: str) -> Operation | None:
    """The operation of a row such as `x % y`, `-x` or `determinant(m:mat2x2)`; None for a comparison, which is exact."""
    if row == "-x":
        return UnaryOp.NEGATE
    infix = re.fullmatch(r"x (\S+) y", row)
    if infix:
        op = BinaryOp(infix[1])
        return None if op in COMPARISONS else op
    return Builtin(row.split("(")[0])


def facts(bound: Bound) -> list[str]:
    """What the specification's text must say for this bound."""
    match bound:
        case CorrectlyRounded():
            return ["Correct"]
        case Ulps(count, 0.0):
            return [f"{count:g} ULP"]
        case Ulps(count, slope):
            return [f"`{count:g} + {slope:g} * |x|` ULP"]
        case UlpsWithin(count, low, high):
            return [f"{count:g} ULP for", f"in the range [{power(low)}, {power(high)}]"]
        case Absolute(error, low, _, None):
            return [f"Absolute error at most {power(error)} ", "[-π, π]" if low < 0 else "no such interval"]
        case Absolute(error, low, high, outside):
            return [
                f"Absolute error at most {power(error)} ",
                f"[{low:.1f}, {high:.1f}]",
                *(facts(outside) if outside else ()),
            ]
        case Inherited(expression):
            return ["Inherited from", f"`{expression}`"]
        case WorseOf(error, expression):
            digits, exponent = f"{error:.2e}".split("e")
            return ["The worse of", f"{digits.rstrip('0')}", f"×10^{int(exponent)}", f"`{expression}`"]
        case Unbounded():
            return ["Infinite ULP"]
        case _:
            assert_never(bound)


def power(x: float) -> str:
    """A power of two as the specification writes it."""
    return f"2^{x.hex().split('p')[1].lstrip('+')}"


def rows() -> Iterator[tuple[str, str, str]]:
    """Row, type and text of everything that a compute kernel may do to floats."""
    table: dict[str, dict[str, str]] = json.loads((data_folder() / "accuracy.json").read_text(encoding="utf-8"))
    for row, texts in table.items():
        if not ELSEWHERE.match(row):
            yield from ((row, name, text) for name, text in texts.items())


def disagreement(bound: Bound | None, text: str) -> list[str]:
    """Facts of the bound that the text does not state; a packing function has no f16 form whatever the text says."""
    return [] if bound is None else [fact for fact in facts(bound) if fact not in text]


def test_every_row_of_the_specification_is_in_the_table() -> None:
    met = set[Operation]()
    for row, name, text in rows():
        operation = operation_of(row)
        if operation is None:
            assert text == "Correct result"
            continue
        bound = ACCURACY[operation].f16 if name == "f16" else ACCURACY[operation].f32
        assert disagreement(bound, text) == [], row
        met.add(operation)
    assert met == ACCURACY.keys()


@pytest.mark.parametrize("bound", [Ulps(4), Ulps(3, 2), CorrectlyRounded(), Inherited("x + y"), Unbounded()])
def test_a_wrong_bound_is_found(bound: Bound) -> None:
    assert disagreement(bound, "3 ULP") != []
    assert disagreement(Ulps(3), "3 ULP") == []
