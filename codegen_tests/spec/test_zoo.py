"""Formulas of the literature: what they parse to is what they mean, and their text parses back."""

from __future__ import annotations

import numpy as np
import pytest

from codegen_tests.spec.zoo_all import FAMILIES, ZOO, spec_of
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate

SIZES = (1, 2, 5)
WITH_MEANING = sorted(n for n, a in ZOO.items() if a.meaning is not None)


@pytest.mark.parametrize("name", ZOO)
def test_shapes_and_text(name: str) -> None:
    spec = spec_of(name)
    assert parse_spec(name, format_spec(spec)) == spec
    assert {i.name for i in spec.inputs} == set(ZOO[name].draws)
    for size in SIZES:
        values = evaluate(spec, ZOO[name].draw(np.random.default_rng(size), size))
        assert all(np.isfinite(values[o]).all() for o in spec.outputs)


@pytest.mark.parametrize("name", WITH_MEANING)
def test_reference_is_the_direct_meaning(name: str) -> None:
    case, spec = ZOO[name], spec_of(name)
    for size in SIZES:
        arguments = case.draw(np.random.default_rng(size), size)
        found = evaluate(spec, arguments)
        for output, expected in case.expected(arguments, spec.outputs).items():
            assert found[output].shape == np.shape(expected)
            np.testing.assert_allclose(found[output], expected, rtol=1e-9, atol=1e-11)


def test_there_are_enough() -> None:
    assert len(ZOO) == sum(map(len, FAMILIES)) >= 350
    assert len(WITH_MEANING) >= 200


def test_a_wrong_meaning_is_found() -> None:
    case = ZOO["mish"]
    arguments = case.draw(np.random.default_rng(0), 3)
    wrong = parse_spec("mish", case.formula.replace("softplus", "silu"))
    assert not np.allclose(evaluate(wrong, arguments)["y"], case.expected(arguments, ("y",))["y"])
