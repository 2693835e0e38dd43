"""Hostile numbers on every device: the library is finite and right there, and a form that overflows is found."""

from __future__ import annotations

import pytest

from codegen_tests.ops.library import DERIVED, case
from shaderdsl.operation import of_spec
from shaderdsl.spec.parse import parse_spec
from shaderdsl.testing.device_extremes import extreme_checks
from shaderdsl.testing.report import Check
from shaderdsl.testing.samples import Hints, plain

# Whether the forward and the backward are right: softplus and silu are recognised, so that their backwards are, however they are spelled.
OVERFLOWING = {
    "softplus": ("y[i] = log(1 + exp(x[i]))", [False, True]),
    "silu": ("y[i] = x[i] / (1 + exp(-x[i]))", [True, True]),
    "softmax": (
        "e[i, j] = exp(x[i, j])\ns[i] = sum(j) e[i, j]\ny[i, j] = e[i, j] / s[i]",
        [False, False],
    ),
    "a norm": ("s[i] = sum(j) x[i, j] ** 2\ny[i] = sqrt(s[i])", [True, False]),
}


def checks(formula: str, device: str) -> list[Check]:
    return extreme_checks(of_spec, plain(parse_spec("f", formula)), Hints(), device)


@pytest.mark.parametrize("name", DERIVED)
def test_the_library_is_finite_and_right(name: str, executor_name: str) -> None:
    spec, hints = case(name)
    assert [str(c) for c in extreme_checks(of_spec, spec, hints, executor_name) if not c.ok] == []


@pytest.mark.parametrize("name", OVERFLOWING)
def test_a_form_that_overflows_is_found(name: str, executor_name: str) -> None:
    formula, expected = OVERFLOWING[name]
    found = [c.ok for c in checks(formula, executor_name)]
    assert found == expected
