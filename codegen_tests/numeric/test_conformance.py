"""Every scalar case of the conformance data through the numpy meaning."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from codegen_tests.numeric.conformance import Group, evaluate, failures, load
from shaderdsl.ir.types import F32

CASES = 30_607


@pytest.fixture(scope="module")
def groups() -> list[Group]:
    return load()


def test_every_case_of_the_data_is_met(groups: list[Group], record_property: Callable[[str, object], None]) -> None:
    """No case is left out: the count is the whole file's."""
    executed, wrong = 0, list[str]()
    for group in groups:
        results = evaluate(group)
        assert results.shape == (len(group.arguments),)
        wrong += failures(group, results)
        executed += len(results)
    record_property("conformance", f"scalar_execution: {executed - len(wrong)} of {executed}")
    assert executed == CASES
    assert wrong == []


def test_a_wrong_meaning_fails() -> None:
    """The check itself: floor division is found out."""
    group = Group("binary,i32_arithmetic", "division", F32, (F32, F32), [[-7, 2]], [[[-3, -3]]])
    assert failures(group, np.array([-3])) == []
    assert failures(group, np.array([-4])) == ["binary,i32_arithmetic division([-7, 2]) = -4, not in [[-3, -3]]"]
    assert failures(group, np.array([np.nan])) != []
