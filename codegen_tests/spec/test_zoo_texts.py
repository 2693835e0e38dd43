"""Texts of derived formulas: names that might meet, ranks that might be none."""

from __future__ import annotations

import numpy as np
import pytest

from shaderdsl.errors import SpecError
from shaderdsl.operation import op
from shaderdsl.spec.forward import jvp
from shaderdsl.spec.leading import specialise
from shaderdsl.spec.notation import Dtype, OpSpec, ScalarInput, TensorInput
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate


def back(spec: OpSpec) -> OpSpec:
    return parse_spec(spec.name, format_spec(spec))


@pytest.mark.parametrize("read", ["s", "s[]"])
def test_a_tensor_without_axes_is_read_bare(read: str) -> None:
    spec = parse_spec("scaled", f"given x[i], s[]\ny[i] = x[i] * {read}")
    assert spec.inputs[1] == TensorInput("s", (), Dtype.F32)
    assert back(spec) == spec


def test_both_spellings_in_one_formula() -> None:
    spec = parse_spec("scaled", "y[i] = x[i] * s + s[]")
    assert [i.name for i in spec.inputs] == ["x", "s"]
    assert back(spec) == spec


def test_a_tensor_with_axes_is_not_read_bare() -> None:
    with pytest.raises(SpecError, match="x is a tensor and a scalar"):
        parse_spec("mixed", "y[...] = x[...] * x")
    with pytest.raises(SpecError, match="x is given as a tensor"):
        parse_spec("mixed", "given x[i]\ny = x * 2")


def test_the_backward_of_a_loss_parses_back() -> None:
    backward = op("loss", "loss = mean(i) x[i] ** 2").vjp
    assert back(backward.spec) == backward.spec
    x = np.array([1.0, -2.0])
    np.testing.assert_allclose(backward.reference(x=x, d_loss=3.0)["x"], 3 * x)


def test_leading_axes_take_no_name_of_a_scalar() -> None:
    backward = op("root", "y[...] = sqrt(x[...] ** 2 + b)").vjp
    assert "x[b2]" in backward.formula
    assert back(backward.spec) == backward.spec


def test_leading_axes_take_no_name_of_a_tensor_without_axes() -> None:
    spec = specialise(parse_spec("sums", "y[...] = a[...] * b[...]"), {"a": 1, "b": 0})
    assert "a[b2]" in format_spec(spec)
    assert back(spec) == spec
    assert "a[b]" in format_spec(specialise(parse_spec("sums", "y[...] = a[...] * b[...]"), {"a": 1, "b": 1}))


def test_leading_axes_take_no_name_of_a_reduced_index() -> None:
    backward = op("powers", "y[...] = sum(b < 3) x[...] * b").vjp
    np.testing.assert_allclose(backward.reference(x=np.ones((2, 3)), d_y=np.ones((2, 3)))["x"], 3)


def test_a_called_spec_with_leading_axes_derives() -> None:
    centred = op("centred", "m[...] = mean(i) x[..., i]\ny[..., i] = x[..., i] - m[...]")
    caller = op("caller", "given x[t, i]\nc = centred(x)\ny[t, i] = c[t, i] ** 2", library={"centred": centred})
    x, d = np.array([[1.0, 2.0, 4.0]]), np.array([[1.0, -1.0, 2.0]])
    c = x - x.mean(1, keepdims=True)
    expected = 2 * c * d - (2 * c * d).mean(1, keepdims=True)
    np.testing.assert_allclose(caller.vjp.reference(x=x, d_y=d)["x"], expected)


def test_tangents_of_a_scan_are_defined_once() -> None:
    forward = op("sums", "s[t] = scan(t) s[t - 1] * a + x[t]").jvp
    assert back(forward.spec) == forward.spec
    np.testing.assert_allclose(forward.reference(x=np.zeros(3), a=2.0, t_x=np.ones(3)), [1, 3, 7])


def test_parameters_keep_their_kind() -> None:
    spec = parse_spec("scaled", "y[i] = x[i] * s")
    assert ScalarInput("s", Dtype.F32) in spec.inputs


def test_lines_of_windows_and_tabs_show_as_they_stand() -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec("odd", "z[i] = x[i]\r\ny[i]\t= blorp(z[i])\r\n")
    shown = str(caught.value).splitlines()
    assert shown[1:3] == ["    2 | y[i] = blorp(z[i])", "      |        ^^^^^"]


def test_lines_of_windows_parse() -> None:
    assert parse_spec("a", "z[i] = x[i]\r\n\r\ny[i]\t= z[i] # twice\r\n") == parse_spec("a", "z[i] = x[i]\ny[i] = z[i]")


def test_whole_numbers_past_32_bits_are_f32() -> None:
    spec = parse_spec("a", "y[i] = x[i] * 5000000000")
    assert parse_spec("a", format_spec(spec)) == spec
    assert "5000000000.0" in format_spec(spec)


def test_long_formulas() -> None:
    """500 stages, 30 axes, 100 brackets, 60 inputs."""
    chain = "\n".join(["s0[i] = x[i]", *(f"s{k}[i] = s{k - 1}[i] * 0.5 + x[i]" for k in range(1, 500))])
    spec = parse_spec("chain", chain)
    assert len(spec.stages) == 500
    assert back(spec) == spec
    axes = ", ".join(f"a{k}" for k in range(30))
    assert len(parse_spec("wide", f"y[{axes}] = x[{axes}] * 2").stages[0].targets[0].bounds) == 30
    assert parse_spec("deep", f"y[i] = {'(' * 100}x[i]{')' * 100}") == parse_spec("deep", "y[i] = x[i]")
    assert len(parse_spec("many", "y[i] = " + " + ".join(f"x{k}[i]" for k in range(60))).inputs) == 60


@pytest.mark.parametrize(
    ("formula", "of"),
    [
        ("given t_x[i], x[i]\ny[i] = t_x[i] * x[i]", "x"),
        ("given t_y[i], x[i]\ny[i] = t_y[i] * x[i]", "y"),
        ("given x[i]\nt_x[i] = exp(x[i])\ny[i] = t_x[i] * x[i]", "x"),
    ],
)
def test_what_has_the_name_of_a_tangent_is_refused_by_name(formula: str, of: str) -> None:
    with pytest.raises(SpecError, match=f"named has a t_{of}, the name of the tangent of {of}") as caught:
        jvp(parse_spec("named", formula))
    assert f"give t_{of} another name" in caught.value.hints


def test_stages_that_nothing_reads_have_no_tangent() -> None:
    forward = jvp(parse_spec("spare", "a[i] = floor(x[i])\ny[i] = x[i] ** 2"))
    assert "floor" not in format_spec(forward)


def test_what_no_input_moves_stands_still() -> None:
    forward = jvp(
        parse_spec("mixed", "given x[i]\ny[i] = x[i] ** 2\nz[i < size(i)] = 3.0\nat[i] = x[i] > 0\nout(y, z, at)")
    )
    assert forward.outputs == ("t_y", "t_z")
    values = evaluate(forward, {"x": np.ones(3), "t_x": np.ones(3)})
    np.testing.assert_array_equal(values["t_z"], np.zeros(3))


def test_positions_have_no_tangent() -> None:
    """A value rounded to a position is read at, and its fraction has the slope."""
    spec = parse_spec("sampled", "given x[s], p[t]\nat[t] = i32(floor(p[t]))\ny[t] = x[at[t]; 0] * p[t]")
    assert "i32" in format_spec(jvp(spec))
    with pytest.raises(SpecError, match="has no derivative"):
        jvp(parse_spec("rounded", "y[t] = f32(i32(p[t]))"))


def test_large_numbers_stay_floats() -> None:
    backward = op("far", "given x[t], seg[t]: i32, n: i32\ny[s < n] = max(t) where(seg[t] == s, x[t], -1e30)").vjp
    assert "-1e+30" in backward.formula
    found = backward.reference(x=np.array([1.0, 2.0]), seg=np.array([0, 0]), n=2, d_y=np.array([1.0, 1.0]))
    np.testing.assert_array_equal(found["x"], [0, 1])
