"""`sd.gradcheck` as a user meets it: derived backwards, hand-written ones, and wrong ones."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl.cli import gradcheck as command
from shaderdsl.testing import library

SOFTMAX = "m[i] = max(j) x[i, j]\ne[i, j] = exp(x[i, j] - m[i])\ns[i] = sum(j) e[i, j]\ny[i, j] = e[i, j] / s[i]"


def softmax_backward(x: Any, d_y: Any) -> dict[str, Any]:
    e = np.exp(x - x.max(1, keepdims=True))
    y = e / e.sum(1, keepdims=True)
    return {"x": y * (d_y - (y * d_y).sum(1, keepdims=True))}


def forgetful_backward(x: Any, d_y: Any) -> dict[str, Any]:
    e = np.exp(x - x.max(1, keepdims=True))
    return {"x": e / e.sum(1, keepdims=True) * d_y}


def one_of_two(d_y: Any, **inputs: Any) -> Any:
    return inputs["b"] * d_y


def test_a_derived_backward_is_right() -> None:
    report = sd.gradcheck(sd.op("softmax", SOFTMAX))
    assert report.ok
    assert report.failures == ()
    assert "wrong sign: 1 of 1 caught" in str(report)


def test_a_device_is_held_to_the_formula() -> None:
    report = sd.gradcheck(sd.op("softmax", SOFTMAX), device="interpreter")
    assert report.ok
    assert "backward on interpreter" in [c.name for c in report.checks]


def test_ones_own_backward() -> None:
    f = sd.op("softmax", SOFTMAX)
    assert sd.gradcheck(f, backward=softmax_backward).ok
    report = sd.gradcheck(f, backward=forgetful_backward)
    assert not report.ok
    assert "d_x is wrong" in report.failures[0]
    x = np.random.default_rng(0).normal(size=(2, 7))
    assert "x (2, 7)" in sd.gradcheck(f, backward=forgetful_backward, x=x).failures[0]


def test_a_backward_may_be_an_op() -> None:
    square = sd.op("square", "y[i] = x[i] ** 2")
    assert sd.gradcheck(square, backward=sd.op("right", "given x[i], d_y[i]\nd_x[i] = 2 * x[i] * d_y[i]")).ok
    assert not sd.gradcheck(square, backward=sd.op("wrong", "given x[i], d_y[i]\nd_x[i] = x[i] * d_y[i]")).ok


def test_a_gather_needs_no_hints() -> None:
    assert sd.gradcheck(sd.op("rows", "y[i, c] = w[ids[i], c]")).ok


def test_an_unknown_input_is_refused() -> None:
    with pytest.raises(sd.LaunchError, match="no input z"):
        sd.gradcheck(sd.op("square", "y[i] = x[i] ** 2"), z=np.ones(3))


def test_the_wrong_number_of_gradients_is_refused() -> None:
    f = sd.op("product", "y[i] = a[i] * b[i]")
    with pytest.raises(sd.LaunchError, match="returns 1 of 2"):
        sd.gradcheck(f, backward=one_of_two)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.gradcheck(["softmax", "argmax"], "interpreter", 1, False, True) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["ok"]
    assert [o["op"] for o in content["ops"]] == ["softmax", "argmax"]
    assert command.gradcheck(["relu"], None, 0, False, False) == 0
    assert "wrong backwards caught" in capsys.readouterr().out


def test_the_command_fails_with_the_evidence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = library.examined

    def worse(definition: Any, seed: int = 0, others: Any = ()) -> Any:
        report = right(definition, seed, others)
        return type(report)(report.op, report.formula, report.backward, (type(report.checks[0])("zeal", 2.0, 1.0),))

    monkeypatch.setattr(library, "examined", worse)
    assert command.gradcheck(["relu"], None, 0, False, False) == 1
    assert "zeal: FAILED" in capsys.readouterr().out


def test_an_unknown_op_is_refused() -> None:
    with pytest.raises(sd.TargetError, match="no op nonsense"):
        command.gradcheck(["nonsense"], None, 0, False, True)


@pytest.mark.parametrize(
    ("formula", "x"),
    [
        ("y[i] = max(j) x[i, j]", [[1.0, 1.0, 0.0], [2.0, 0.0, 1.0]]),
        ("y[i, j] = relu(x[i, j])", [[0.0, 1.0], [-1.0, 2.0]]),
        ("y[i, j] = abs(x[i, j]) * x[i, 0]", [[1.0, 0.0], [2.0, 3.0]]),
    ],
)
def test_a_given_kink_is_no_fault(formula: str, x: list[list[float]]) -> None:
    assert sd.gradcheck(sd.op("kinked", formula), x=np.array(x)).ok


def test_beside_a_given_kink_a_fault_is_found() -> None:
    x = np.array([[1.0, 1.0, 0.0], [2.0, 0.0, 1.0]])
    greatest = sd.op("greatest", "y[i] = max(j) x[i, j]")

    def doubled(x: Any, d_y: Any) -> dict[str, Any]:
        return {"x": 2 * d_y[:, None] * (x == x.max(1, keepdims=True))}

    assert not sd.gradcheck(greatest, backward=doubled, x=x).ok
