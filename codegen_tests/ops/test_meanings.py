"""Every op of the library is what direct numpy says: at size 1 and at primes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from codegen_tests.ops.library import DEFINITIONS, case
from codegen_tests.ops.meanings import MEANINGS
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.samples import draw

SIZES = {"ones": (1,), "primes": (2, 3, 5, 7), "others": (5, 2, 3, 4)}


def difference(name: str, extents: tuple[int, ...], formula: str) -> float:
    """The largest difference of any output from its meaning."""
    spec, hints = case(name)
    arguments = draw(spec, hints, np.random.default_rng(1), extents)
    own = parse_spec(name, formula)
    found = evaluate(own, arguments)
    meant = MEANINGS[name](**arguments)
    expected: list[Any] = [*meant] if len(own.outputs) > 1 else [meant]
    assert len(own.outputs) == len(expected)
    worst = 0.0
    for output, array in zip(own.outputs, expected):
        assert found[output].shape == np.shape(array)
        worst = max(worst, float(np.max(np.abs(found[output] - array), initial=0.0)))
    return worst


@pytest.mark.parametrize("extents", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("name", DEFINITIONS)
def test_an_op_is_its_meaning(name: str, extents: tuple[int, ...]) -> None:
    assert difference(name, extents, DEFINITIONS[name].formula) < 1e-11


def test_every_op_has_a_meaning() -> None:
    assert list(MEANINGS) == list(DEFINITIONS)


def test_another_formula_is_found() -> None:
    wrong = replace(DEFINITIONS["rms_norm"], formula=DEFINITIONS["rms_norm"].formula.replace("mean(i)", "sum(i)"))
    assert difference("rms_norm", (2, 3, 5), wrong.formula) > 1e-3
