"""Random specs: the interpreter and the devices give what the reference gives."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings

from codegen_tests.spec.generated import Case, cases
from shaderdsl.errors import ShaderError
from shaderdsl.operation import of_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate

BOUND = 2e-4
"""Specs nest products of reads and cancel; each term is right to 1e-6."""


def meaning(case: Case) -> dict[str, Any] | ShaderError:
    """What the reference gives or says."""
    try:
        return evaluate(case.spec, case.arguments)
    except ShaderError as error:
        return error


def agree(case: Case, device: str) -> None:
    operation = of_spec(case.spec)
    expected = meaning(case)
    if isinstance(expected, ShaderError):
        with pytest.raises(type(expected)) as caught:
            operation(**case.arguments, device=device)
        assert caught.value.message == expected.message
        return
    found: Any = operation(**case.arguments, device=device)
    arrays = cast("dict[str, Any]", found) if isinstance(found, dict) else {case.spec.outputs[0]: found}
    for name, array in arrays.items():
        same(name, array, expected[name], format_spec(case.spec))


def same(name: str, found: Any, expected: Any, text: str) -> None:
    assert found.shape == expected.shape
    if expected.dtype.kind != "f":
        np.testing.assert_array_equal(found.astype(np.int64), expected, err_msg=f"{name} of {text}")
        return
    held = np.abs(expected) < 1e30
    np.testing.assert_allclose(found[held], expected[held], rtol=BOUND, atol=BOUND, err_msg=f"{name} of {text}")


@settings(max_examples=200)
@given(cases())
def test_interpreter(case: Case) -> None:
    agree(case, "interpreter")


@pytest.mark.parametrize("name", ["wgpu", "dawn"])
def test_devices(name: str) -> None:
    @settings(max_examples=25)
    @given(cases())
    def law(case: Case) -> None:
        agree(case, name)

    law()


def test_a_difference_is_found() -> None:
    with pytest.raises(AssertionError):
        same("y", np.zeros(3, np.float32), np.full(3, 1e-2), "")
    with pytest.raises(AssertionError):
        same("y", np.zeros(3, np.int32), np.array([0, 0, 1]), "")
