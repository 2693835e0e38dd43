"""Every derived backward is the one that the textbook writes: proved over symbols, compared again in 50 digits at larger sizes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from codegen_tests.spec import (
    textbook_activations,
    textbook_attention,
    textbook_blocks,
    textbook_products,
    textbook_rows,
    textbook_scans,
    textbook_tables,
)
from codegen_tests.spec.textbook import Row, faulty, gradients_of, left_over, worst_digits
from codegen_tests.spec.textbook_algebra import vanishes
from shaderdsl.testing.symbolic import form, symbol

BOOK = (
    textbook_rows,
    textbook_attention,
    textbook_activations,
    textbook_products,
    textbook_tables,
    textbook_scans,
    textbook_blocks,
)
ROWS = {row.name: row for part in BOOK for row in part.ROWS}
NEAR, NEAR_CONSTANTS = 1e-40, 1e-15
SEEDS = range(8)
"""Masks and clamps hide a gradient at some points."""


@pytest.mark.parametrize("name", ROWS)
def test_algebra_shows_the_textbook(name: str) -> None:
    assert left_over(ROWS[name]) == []


@pytest.mark.parametrize("name", ROWS)
def test_a_planted_fault_is_not_shown(name: str) -> None:
    assert left_over(faulty(ROWS[name]), most=1)


@pytest.mark.parametrize("name", ROWS)
def test_fifty_digits_agree(name: str) -> None:
    row = ROWS[name]
    assert worst_digits(row) < (NEAR_CONSTANTS if row.constants else NEAR)


@pytest.mark.parametrize("name", ROWS)
def test_every_gradient_is_compared(name: str) -> None:
    """Each output in turn, taken twice, differs."""
    row = ROWS[name]
    for number, output in enumerate(gradients_of(row)):
        wrong = f"wrong_{output}"
        spoilt = with_doubled(row, number, wrong)
        assert any(worst_digits(spoilt, seed) > NEAR_CONSTANTS for seed in SEEDS), output


def with_doubled(row: Row, number: int, wrong: str) -> Row:
    """The row whose textbook doubles one of its gradients."""
    outputs = row.specs()[2]
    name = outputs.outputs[number]
    target = next(t for s in outputs.stages for t in s.targets if t.name == name)
    places = ", ".join(b.name for b in target.bounds)
    at = f"[{places}]" if places else ""
    kept = [o if n != number else wrong for n, o in enumerate(outputs.outputs)]
    lines = [line for line in row.backward.splitlines() if not line.startswith("out(")]
    return replace(row, backward="\n".join([*lines, f"{wrong}{at} = 2 * {name}{at}", f"out({', '.join(kept)})"]))


def test_the_book_is_whole() -> None:
    """What each part must hold, so that no line is lost."""
    assert len(ROWS) == sum(len(part.ROWS) for part in BOOK)
    for word in (
        "softmax",
        "norm",
        "rotary",
        "attention",
        "gelu",
        "embedding",
        "entropy",
        "convolution",
        "adapter",
        "block",
    ):
        assert any(word in name for name in ROWS), word


def test_polynomials_decide() -> None:
    x, y = symbol("x"), symbol("y", positive=True)
    exp, sqrt = form("exp"), form("sqrt")
    assert vanishes((x + y) ** 2 - x**2 - 2 * x * y - y**2)
    assert vanishes(1 / (1 + exp(-x)) + 1 / (1 + exp(x)) - 1)
    assert vanishes(exp(2 * x - y) - exp(x) ** 2 / exp(y))
    assert vanishes(1 / sqrt(x**2 + y) ** 3 * (x**2 + y) - 1 / sqrt(x**2 + y))
    assert not vanishes(1 / sqrt(x**2 + y) - 1 / sqrt(x**2 + 2 * y))
    assert not vanishes(exp(x / 2) - exp(x))
    assert not vanishes(x / y - y / x)
