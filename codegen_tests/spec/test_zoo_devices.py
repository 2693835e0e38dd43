"""Formulas of the literature on executors, forward and backward, against their float64 reference: every one on the interpreter, a third on each GPU."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from codegen_tests.spec.zoo_all import SMOOTH, ZOO, op_of
from shaderdsl.operation import Made, Op

BOUND = 1e-5
"""Of the length of a row, or of a number near 1 where a row is short: arguments are near 1, and what cancels keeps their rounding."""
SIZE = 3
THIRD = sorted(ZOO)[::3]


def single(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments as f32 holds them, so that only the computation differs."""
    return {k: np.float32(v) if np.asarray(v).dtype.kind == "f" else v for k, v in arguments.items()}


def results(found: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {"": found}


def check(operation: Op, arguments: dict[str, Any], device: str) -> None:
    expected, found = results(operation.reference(**arguments)), results(operation(**arguments, device=device))
    assert expected.keys() == found.keys()
    for name, right in expected.items():
        assert np.shape(found[name]) == np.shape(right)
        rows = np.sqrt((np.atleast_1d(right).astype(float) ** 2).sum(-1, keepdims=True))
        error = np.abs(np.atleast_1d(found[name]).astype(float) - np.atleast_1d(right))
        assert (error <= BOUND * np.maximum(rows, 1.0)).all(), (name, float(error.max()), operation.formula)


def both_ways(name: str, device: str) -> None:
    forward = op_of(name)
    arguments = single(ZOO[name].draw(np.random.default_rng(SIZE), SIZE))
    check(forward, arguments, device)
    if name not in SMOOTH:
        return
    outputs = dict(zip(forward.spec.outputs, results(forward.reference(**arguments)).values()))
    random = np.random.default_rng(9)
    given = {f"d_{o}": np.float32(random.normal(size=np.shape(v))) for o, v in outputs.items()}
    check(forward.vjp, arguments | {n: v for n, v in given.items() if n in forward.vjp.inputs}, device)


@pytest.mark.parametrize("name", ZOO)
def test_on_the_interpreter(name: str) -> None:
    both_ways(name, "interpreter")


@pytest.mark.parametrize("name", THIRD)
def test_on_every_executor(name: str, device_name: str) -> None:
    both_ways(name, device_name)


def test_a_wrong_result_is_found() -> None:
    operation = op_of("softsign")
    with pytest.raises(AssertionError):
        check(WrongOp(operation), single(ZOO["softsign"].draw(np.random.default_rng(0), 3)), "interpreter")


class WrongOp(Op):
    """An op whose results are a little too large."""

    def __init__(self, right: Op) -> None:
        super().__init__(right.name, right.spec, lambda _: Made(right.spec, {}), None)

    def __call__(self, /, *arguments: Any, device: str | None = None, **named: Any) -> Any:
        return super().__call__(*arguments, device=device, **named) * 1.001
