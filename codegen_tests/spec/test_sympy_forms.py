"""The sympy forms: complete together with the list of exceptions, and equal to numpy at random points."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import pytest
import sympy as sp

from shaderdsl.ir.builtins import OVERLOADS, Builtin, Like
from shaderdsl.ir.types import BOOL, F32, I32
from shaderdsl.numeric.builtins import call
from shaderdsl.numeric.values import Array
from shaderdsl.spec.sympy_forms import NO_SYMPY_FORM, SYMPY_FORMS

ABOVE_ONE = {Builtin.ACOSH}
POSITIVE = {Builtin.LOG, Builtin.LOG2, Builtin.SQRT, Builtin.INVERSE_SQRT, Builtin.POW}
POINTS = 8


def uncovered(forms: Collection[Builtin], exceptions: Collection[Builtin]) -> set[Builtin]:
    """Builtins in neither, or in both."""
    return set(Builtin) ^ (set(forms) ^ set(exceptions))


def test_forms_and_exceptions_cover_the_enum() -> None:
    assert uncovered(SYMPY_FORMS, NO_SYMPY_FORM) == set()


def test_a_gap_and_an_overlap_are_found() -> None:
    assert uncovered(set(SYMPY_FORMS) - {Builtin.EXP}, NO_SYMPY_FORM) == {Builtin.EXP}
    assert uncovered(SYMPY_FORMS, NO_SYMPY_FORM | {Builtin.EXP}) == {Builtin.EXP}


def draw(builtin: Builtin, random: np.random.Generator) -> tuple[list[Array], list[Any]]:
    """Arguments within the builtin's domain, and their types."""
    columns, types = list[Array](), list[Any]()
    for parameter in OVERLOADS[builtin][0].parameters:
        if parameter is Like.I32:
            columns.append(random.integers(-5, 5, POINTS).astype(np.int32))
            types.append(I32)
        elif parameter == BOOL:
            columns.append(random.random(POINTS) < 0.5)
            types.append(BOOL)
        else:
            low = 1.0 if builtin in ABOVE_ONE else 0.1 if builtin in POSITIVE else -0.95
            columns.append(random.uniform(low, low + 1.9, POINTS).astype(np.float32))
            types.append(F32)
    return columns, types


def exact_value(form: Callable[..., Any], row: tuple[Any, ...]) -> float:
    """The form at a point: bools as sympy's, numbers as exact rationals."""
    given = [
        sp.true if x is True else sp.false if x is False else sp.Rational(*float(x).as_integer_ratio()) for x in row
    ]
    value: Any = form(*given)
    return float(value)


@pytest.mark.parametrize("builtin", SYMPY_FORMS, ids=lambda builtin: builtin.value)
def test_the_form_is_what_numpy_computes(builtin: Builtin) -> None:
    columns, types = draw(builtin, np.random.default_rng(7))
    numpy_values = np.asarray(call(builtin, columns, types, F32))
    rows = zip(*(column.tolist() for column in columns), strict=True)
    expected = [exact_value(SYMPY_FORMS[builtin], row) for row in rows]
    np.testing.assert_allclose(numpy_values, expected, rtol=1.2e-7, atol=1e-7)


def test_a_wrong_form_is_found() -> None:
    assert exact_value(SYMPY_FORMS[Builtin.SINH], (0.5,)) != pytest.approx(
        exact_value(SYMPY_FORMS[Builtin.COSH], (0.5,))
    )


@pytest.mark.parametrize(
    ("x", "nearest"), [(0.5, 0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (0.49, 0), (-2.51, -3)]
)
def test_round_halves_to_even(x: float, nearest: int) -> None:
    assert exact_value(SYMPY_FORMS[Builtin.ROUND], (x,)) == nearest
