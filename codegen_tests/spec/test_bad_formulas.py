"""Each wrong formula is answered with exactly the message beside it, its caret inside the formula.

SHADERDSL_UPDATE_ERRORS=1 pytest codegen_tests/spec/test_bad_formulas.py      # writes the messages anew; refused in CI
"""

from __future__ import annotations

import os

import pytest

from codegen_tests.spec.bad_formulas import Bad, bad_formulas, message_of, write

if os.environ.get("SHADERDSL_UPDATE_ERRORS") and not os.environ.get("CI"):
    write(bad_formulas())

PAIRS = bad_formulas()


@pytest.mark.parametrize("bad", PAIRS, ids=lambda b: b.name)
def test_message(bad: Bad) -> None:
    assert message_of(bad.name, bad.formula) == bad.message


@pytest.mark.parametrize("bad", PAIRS, ids=lambda b: b.name)
def test_message_is_in_good_form(bad: Bad) -> None:
    headline = bad.message.split("\n", 1)[0]
    sentence = headline.split("error: ")[1].removesuffix(" [spec]")
    assert not sentence.endswith(".")
    assert "\nhelp: " in bad.message
    assert headline.startswith((f"formula of {bad.name}:", "error: the formula of"))


def test_there_are_enough() -> None:
    assert len(PAIRS) >= 40
    assert len({b.name for b in PAIRS}) == len(PAIRS)


def test_a_formula_that_parses_is_no_pair() -> None:
    with pytest.raises(AssertionError, match="parses"):
        message_of("good", "y[i] = x[i]")
