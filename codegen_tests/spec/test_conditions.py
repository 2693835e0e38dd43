"""What index ranges decide, and other names for one tensor: derived backwards without either."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl.errors import SpecError
from shaderdsl.spec.conditions import NO, YES, Ranges
from shaderdsl.spec.derive import vjp
from shaderdsl.spec.forward import jvp
from shaderdsl.spec.notation import Index, Number, Operation, Operator, OpSpec, Parameter, Scalar, Size
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate

I, N, K = Index("i"), Size("n"), Parameter("k")  # noqa: E741 (the letters of the formulas)
RANGES = Ranges({"i": N}, frozenset({"k"}))


def op(operator: Operator, *arguments: Scalar) -> Operation:
    return Operation(operator, arguments)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (op(Operator.LT, I, N), YES),
        (op(Operator.GE, I, Number(0)), YES),
        (op(Operator.LT, I, Number(0)), NO),
        (op(Operator.LT, op(Operator.ADD, N, I), N), NO),
        (op(Operator.GE, op(Operator.ADD, K, I), K), YES),
        (op(Operator.GT, op(Operator.ADD, I, Number(1)), Number(0)), YES),
        (op(Operator.LE, I, op(Operator.SUB, N, Number(1))), YES),
        (op(Operator.EQ, I, I), YES),
        (op(Operator.NE, op(Operator.ADD, I, Number(1)), I), YES),
        (op(Operator.EQ, I, op(Operator.SUB, Number(-1), I)), NO),
    ],
)
def test_ranges_decide(condition: Scalar, holds: Scalar) -> None:
    assert RANGES.condition(condition) == holds


@pytest.mark.parametrize(
    "condition",
    [
        op(Operator.LT, I, op(Operator.SUB, N, Number(1))),
        op(Operator.GT, I, Number(0)),
        op(Operator.LT, I, K),
        op(Operator.LT, Parameter("x"), Parameter("x")),
        op(Operator.EQ, I, Number(3)),
    ],
)
def test_what_is_open_stays(condition: Scalar) -> None:
    assert RANGES.condition(condition) == condition


def backward(formula: str) -> str:
    return format_spec(vjp(parse_spec("f", formula)))


def test_halves_of_a_concatenation_are_reads() -> None:
    text = backward("given a[p], b[q]\ny[i < size(p) + size(q)] = where(i < size(p), a[i], b[i - size(p)])")
    assert "where" not in text.split("d_a", 1)[1]


def test_another_name_is_no_stage() -> None:
    assert "d_p" not in backward("p[t] = sum(k) w[k] * x[t - k]\ny[t] = p[t] + bias")


def test_the_gradient_of_a_padded_output_has_the_shape_of_the_input() -> None:
    spec = parse_spec("pad", "given x[i], p: i32\ny[i < size(i) + 2 * p] = x[i - p]")
    x, d_y = np.arange(3.0), np.arange(7.0)
    found = evaluate(vjp(spec), {"x": x, "p": 2, "d_y": d_y})
    np.testing.assert_array_equal(found["d_x"], d_y[2:5])


def test_a_flip_turns_back() -> None:
    spec = parse_spec("flip", "y[i] = x[size(i) - 1 - i] * w[i]")
    x, w, d_y = np.arange(3.0), np.array([2.0, 3.0, 5.0]), np.array([1.0, 10.0, 100.0])
    np.testing.assert_array_equal(evaluate(vjp(spec), {"x": x, "w": w, "d_y": d_y})["d_x"], (d_y * w)[::-1])


def test_a_stage_that_nobody_reads_is_not_derived() -> None:
    assert "floor" not in backward("a[i] = floor(x[i])\ny[i] = x[i] ** 2").split("d_x", 1)[1]


def test_an_input_named_as_a_gradient_is_refused() -> None:
    with pytest.raises(SpecError, match="the name of the gradient of y"):
        backward("y[i] = x[i] * d_y[i]")


def test_stages_of_a_second_derivative_have_names_of_their_own() -> None:
    spec = vjp(vjp(parse_spec("f", "h[t] = scan(t) tanh(u[t] * h[t - 1] + x[t])")))
    names = [t.name for s in spec.stages for t in s.targets]
    assert len(names) == len(set(names))
    assert parse_spec("f", format_spec(spec)).outputs == spec.outputs


def test_no_stage_takes_the_name_of_a_parameter() -> None:
    spec = vjp(parse_spec("f", "given x[b, s], p\nq[b] = sum(s) abs(x[b, s]) ** p\ny[b, s] = x[b, s] / q[b]"))
    assert "p" not in {t.name for s in spec.stages for t in s.targets}


def test_a_start_that_is_longer_than_what_it_reads_has_a_gradient_through_its_fill() -> None:
    formula = "given x[i], s[q]\nh[i < size(i) + 1, t < 3] = scan(t, start=s[i; x[0]]) h[i, t - 1] * 2"
    backward = vjp(parse_spec("f", formula))
    found = evaluate(backward, {"x": np.ones(3), "s": np.ones(2), "d_h": np.ones((4, 3))})
    np.testing.assert_array_equal(found["d_s"], [14.0, 14.0])
    np.testing.assert_array_equal(found["d_x"], [28.0, 0.0, 0.0])
    assert parse_spec("f", format_spec(backward)).outputs == backward.outputs


@pytest.mark.parametrize("derive", [vjp, jvp])
def test_a_refusal_stands_at_its_stage(derive: Callable[[OpSpec], OpSpec]) -> None:
    with pytest.raises(SpecError) as caught:
        derive(parse_spec("f", "a[i] = x[i] * 2\ny[i] = floor(a[i])"))
    assert str(caught.value).startswith(
        "formula of f:2:1: error: floor has no derivative [spec]\n    2 | y[i] = floor(a[i])\n"
    )


def test_a_refusal_of_the_whole_formula_stands_at_the_callers_line() -> None:
    clash = sd.op("clash", "y[i] = x[i] * d_y[i]")
    with pytest.raises(SpecError) as caught:
        _ = clash.vjp.formula
    assert "test_conditions.py" in str(caught.value)
    assert "_ = clash.vjp.formula" in str(caught.value)
