"""Wrong backwards of every kind are caught, right ones pass, for formulas that nobody gave hints for; and arguments are drawn where a formula lives."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownLambdaType=false

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.ops.backwards import FORMULAS, RIGHT, WRONG, softmax
from shaderdsl import f32
from shaderdsl.spec.parse import parse_spec
from shaderdsl.testing.domains import points_within
from shaderdsl.testing.samples import guessed, plain

LIVE = {
    "log": "y[i] = log(x[i])",
    "a shifted root": "y[i] = sqrt(x[i] - 1)",
    "a power": "y[i] = pow(x[i], p)",
    "a power of two tensors": "y[i] = pow(x[i], z[i])",
    "one over": "y[i] = 1 / x[i]",
    "acosh": "y[i] = acosh(x[i])",
    "atanh": "y[i] = atanh(x[i])",
    "asin and acos": "y[i] = asin(x[i]) * acos(x[i])",
    "a share": "y[i] = x[i] / (x[i] + z[i])",
    "a difference under a log": "y[i] = log(a[i] - b[i])",
    "entropy": "h = sum(i) -x[i] * log(x[i])",
    "the log of a product": "p[i] = prod(j) x[i, j]\ny[i] = log(p[i])",
    "a norm without eps": "m[i] = mean(j) x[i, j]\nv[i] = mean(j) (x[i, j] - m[i]) ** 2\ny[i, j] = (x[i, j] - m[i]) / sqrt(v[i])",
    "a gather one further": "y[i, c] = w[ids[i] + 1, c]",
    "every other row": "y[i, c] = w[2 * ids[i], c]",
    "rows from the end": "given w[v, c], ids[i]: i32\ny[i, c] = w[size(v) - 1 - ids[i], c]",
    "labels": "p[i] = log(x[i, label[i]])\nl = mean(i) -p[i]",
    "half of an odd size": "y[i, t < size(t) // 2] = x[i, 2 * t] * x[i, 2 * t + 1]",
    "a rotation": "y[b, d] = where(d < size(d) // 2, -x[b, d + size(d) // 2], x[b, d - size(d) // 2])",
    "groups of heads": "given q[h, i, d], k[g, j, d]\ns[h, i, j] = sum(d) q[h, i, d] * k[h * size(g) // size(h), j, d]",
    "a scatter": "given ids[t]: i32, x[t], o[v]\ny[v] = sum(t) where(ids[t] == v, x[t], 0) + 0 * o[v]",
    "windows": "y[i < (size(i) + 1) // 2] = max(k < 2) x[2 * i + k; -100]",
}


def gradcheck(formula: str, **named: Any) -> Any:
    with np.errstate(all="ignore"):
        return sd.gradcheck(sd.op("f", formula), **named)


@pytest.mark.parametrize("name", LIVE)
def test_arguments_are_drawn_where_a_formula_lives(name: str) -> None:
    for seed in range(3):
        report = gradcheck(LIVE[name], seed=seed)
        assert report.ok, str(report)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_backward_passes(name: str, seed: int) -> None:
    formula, backward = RIGHT[name]
    report = gradcheck(FORMULAS[formula], backward=backward, seed=seed)
    assert report.ok, str(report)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_backward_is_caught(name: str, seed: int) -> None:
    formula, backward = WRONG[name]
    assert not gradcheck(FORMULAS[formula], backward=backward, seed=seed).ok


def test_there_are_enough() -> None:
    assert len(WRONG) >= 20
    assert len(RIGHT) >= 30


@sd.kernel(workgroup_size=64)
def square_backward(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], d_y: Annotated[sd.In[f32], "n"], d_x: Annotated[sd.Out[f32], "n"]
) -> None:
    with k.each(x.n) as i:
        d_x[i] = 2.0 * x[i] * d_y[i]


@sd.kernel(workgroup_size=64)
def square_but_the_100th(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], d_y: Annotated[sd.In[f32], "n"], d_x: Annotated[sd.Out[f32], "n"]
) -> None:
    with k.each(x.n) as i:
        d_x[i] = sd.where(i < 100, 2.0 * x[i] * d_y[i], 0.0)


@pytest.mark.parametrize("device", ["interpreter", "wgpu"])
def test_a_kernel_is_held_on_a_device(device: str) -> None:
    assert gradcheck(FORMULAS["square"], backward=square_backward, device=device).ok
    report = gradcheck(FORMULAS["square"], backward=square_but_the_100th, device=device)
    assert len(report.failures) == 1
    assert report.failures[0].startswith("at other sizes: FAILED")


def test_an_op_is_held_at_long_axes_too() -> None:
    wrong = sd.op("wrong", "given x[i], d_y[i]\nd_x[i] = where(i < 100, 2 * x[i] * d_y[i], 0)")
    report = gradcheck(FORMULAS["square"], backward=wrong)
    assert any("at other sizes" in f for f in report.failures)


def test_a_gradient_that_is_missing_is_named() -> None:
    with pytest.raises(sd.LaunchError, match="no gradient of b"):
        gradcheck(FORMULAS["product"], backward=lambda a, b, d_y: {"a": d_y * b} if a.size else {})


def test_where_a_gradient_is_wrong() -> None:
    x = np.arange(6.0).reshape(2, 3)

    def wrong(x: Any, d_y: Any) -> Any:
        found = softmax(x, d_y)
        found[1, 2] += 0.5
        return found

    report = gradcheck(FORMULAS["softmax"], backward=wrong, x=x)
    assert "d_x[1, 2] is" in report.failures[0]
    assert report.faults[0].place == (1, 2)
    assert report.faults[0].got - report.faults[0].expected == pytest.approx(0.5, abs=1e-6)


def test_an_error_of_the_backward_is_a_failure() -> None:
    def multiplied(x: Any, d_y: Any) -> Any:
        return 2 * x @ d_y

    report = gradcheck("y[i, j] = x[i, j] ** 2", backward=multiplied)
    assert "it raises ValueError" in report.failures[0]


def test_a_backward_that_refuses_everything_says_why() -> None:
    def refusing(**given: Any) -> Any:
        raise sd.LaunchError("only for rows of 64", hints=[str(len(given))])

    with pytest.raises(sd.LaunchError, match="only for rows of 64"):
        gradcheck(FORMULAS["square"], backward=refusing)


def test_a_formula_that_is_finite_nowhere_is_refused() -> None:
    with pytest.raises(sd.LaunchError, match="no arguments were found at which f and its derivative are finite"):
        gradcheck("y[i] = log(-1 - x[i] * x[i])")


def test_whole_numbers_cover_what_a_gather_takes() -> None:
    spec = plain(parse_spec("f", "y[i, c] = w[ids[i] + 1, c]"))
    for point in points_within(spec, guessed(spec), 0):
        ids, count = point.arguments["ids"], len(point.arguments["w"])
        assert ((ids >= -1) & (ids < count - 1)).all()
