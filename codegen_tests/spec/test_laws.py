"""Two laws over random specs: text parses back to the spec, and the reference equals a plain evaluator."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from codegen_tests.spec.generated import Case, cases
from codegen_tests.spec.slow import slow_evaluate
from shaderdsl.spec import grid
from shaderdsl.spec.notation import Number, Operation, Operator, OpSpec, Stage
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate


@settings(max_examples=300)
@given(cases())
def test_text_parses_back(case: Case) -> None:
    text = format_spec(case.spec)
    assert parse_spec("generated", text) == case.spec, text


def agree(spec: OpSpec, case: Case) -> None:
    fast, slow = evaluate(spec, case.arguments), slow_evaluate(case.spec, case.arguments)
    assert fast.keys() == slow.keys()
    for name, array in slow.items():
        assert fast[name].shape == array.shape, name
        np.testing.assert_allclose(fast[name], array, rtol=1e-11, atol=1e-11, err_msg=format_spec(spec))


@settings(max_examples=300)
@given(cases())
def test_reference_equals_plain_evaluation(case: Case) -> None:
    agree(case.spec, case)


@settings(max_examples=60)
@given(cases())
def test_blocks_do_not_matter(case: Case) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grid.blocks, "__defaults__", (3,))
        agree(case.spec, case)


def test_a_wrong_evaluation_is_found() -> None:
    spec = parse_spec("twice", "y[i] = x[i] * 2")
    stage = spec.stages[0]
    wrong = replace(
        spec, stages=(Stage(stage.targets, None, (Operation(Operator.MUL, (stage.values[0], Number(3))),)),)
    )
    case = Case(spec, {"x": np.ones(3)})
    with pytest.raises(AssertionError):
        agree(wrong, case)
