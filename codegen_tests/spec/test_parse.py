"""The notation: what each form of a formula becomes."""

from __future__ import annotations

import numpy as np
import pytest

from shaderdsl.spec.notation import (
    Bound,
    Dtype,
    Function,
    Index,
    Number,
    Operation,
    Operator,
    OpSpec,
    Parameter,
    Read,
    Reduction,
    ReductionKind,
    ScalarInput,
    Scan,
    TensorInput,
)
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_scalar, format_spec
from shaderdsl.spec.reference import evaluate


def value(formula: str) -> str:
    """The last stage's value as text."""
    return format_scalar(parse_spec("f", formula).stages[-1].values[0])


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("-x[i] ** 2", "-x[i] ** 2"),
        ("(-x[i]) ** 2", "(-x[i]) ** 2"),
        ("x[i] ** -2", "x[i] ** -2"),
        ("2 ** 3 ** x[i]", "2 ** 3 ** x[i]"),
        ("(x[i] - 1) - (2 - x[i])", "x[i] - 1 - (2 - x[i])"),
        ("x[i] / (2 * 3)", "x[i] / (2 * 3)"),
        ("+x[i] - -1", "x[i] - -1"),
        ("-(1) * x[i]", "-(1) * x[i]"),
        ("where(0 <= i < 3, x[i], 0)", "where(0 <= i and i < 3, x[i], 0)"),
        ("where(not (i < 3 or i == 5), x[i], 0)", "where(not (i < 3 or i == 5), x[i], 0)"),
        ("(i < 3) * x[i]", "where(i < 3, 1, 0) * x[i]"),
        ("max(x[i], 0, a)", "max(max(x[i], 0), a)"),
        ("inverseSqrt(x[i]) + arctan(x[i])", "rsqrt(x[i]) + atan(x[i])"),
        ("straight_through(round(x[i]), as=x[i])", "straight_through(round(x[i]), as=x[i])"),
        ("x[i - 1; fill=2] + 0x10", "x[i - 1; 2] + 16"),
        ("x[(i + 1) % size(i)]  # wraps", "x[(i + 1) % size(i)]"),
        ("x[i // 2 - (1 - i)] + x[i] + 1e-6", "x[i // 2 - (1 - i)] + x[i] + 1e-06"),
    ],
)
def test_precedence_and_forms(written: str, printed: str) -> None:
    text = f"y[i < size(i)] = {written}"
    assert value(text) == printed
    spec = parse_spec("f", text)
    assert parse_spec("f", format_spec(spec)) == spec


def test_inputs_come_in_the_order_of_use() -> None:
    spec = parse_spec("f", "y[i] = b[i] * s + a[i + n, ids[i]] * s")
    assert spec.inputs == (
        TensorInput("b", ("i",), Dtype.F32),
        ScalarInput("s", Dtype.F32),
        TensorInput("a", (None, None), Dtype.F32),
        ScalarInput("n", Dtype.I32),
        TensorInput("ids", ("i",), Dtype.I32),
    )


def test_given_fixes_order_axes_and_types() -> None:
    spec = parse_spec("f", "given w[v, _], ids[i]: u32, unused[..., q], n: i32\ny[i, c < n] = w[ids[i], c]")
    assert spec.inputs == (
        TensorInput("w", ("v", None), Dtype.F32),
        TensorInput("ids", ("i",), Dtype.U32),
        TensorInput("unused", ("q",), Dtype.F32, True),
        ScalarInput("n", Dtype.I32),
    )


def how(formula: str) -> object:
    return parse_spec("f", formula).stages[-1].how


@pytest.mark.parametrize(
    ("formula", "reduces"),
    [
        ("m[i] = max(j) x[i, j]", True),
        ("m[i] = max(j) -x[i, j]", True),
        ("m = min(i, j) x[i, j - 1] + x[i, j]", True),
        ("m[i] = max(j < 3) x[i]", True),
        ("m[i] = max(a, b) + x[i]", False),
        ("m[i] = max(a, x[i])", False),
        ("m[i] = max(i, 3) * x[i]", False),
        ("m[i] = (max(a, b)) * x[i + a + b]", False),
        ("m[i] = max(a, b) * x[i; a + b]", False),
    ],
)
def test_max_first_is_a_reduction_or_a_function(formula: str, reduces: bool) -> None:
    assert isinstance(how(formula), Reduction) is reduces
    spec = parse_spec("f", formula)
    assert parse_spec("f", format_spec(spec)) == spec


def test_a_reduction_takes_the_rest_of_the_line() -> None:
    spec = parse_spec("f", "s[i] = sum(j, k < 2) -x[i, j] + 1")
    x = Read("x", (Index("i"), Index("j")))
    assert spec.stages[0].how == Reduction(ReductionKind.SUM, (Bound("j"), Bound("k", Number(2))))
    assert spec.stages[0].values == (Operation(Operator.ADD, (Operation(Operator.NEG, (x,)), Number(1))),)


def test_scans() -> None:
    assert how("h[b, t] = scan(t) h[b, t - 1] * a[b, t] + u[b, t]") == Scan("t", False, None)
    assert how("h[t] = scan(t, start=2) h[t + 1] + u[t]") == Scan("t", True, (Number(2),))
    two = parse_spec("f", "m[t], l[t] = scan(t, start=(-1e30, z)) max(m[t - 1], s[t]), l[t - 1] + m[t - 1]")
    assert two.outputs == ("m", "l")
    assert two.stages[0].how == Scan("t", False, (Number(-1e30), Parameter("z")))


def test_lines_go_on_inside_brackets_only() -> None:
    spec = parse_spec("f", "# a comment\n\ny[i] = exp(\n    x[i]  # here too\n    + 1\n)\n\n")
    assert spec.stages[0].values == (
        Function("exp", (Operation(Operator.ADD, (Read("x", (Index("i"),)), Number(1))),)),
    )


def test_long_sums_and_deep_brackets_work() -> None:
    for text in (" + ".join(["x[i]"] * 140), "-(" * 140 + "x[i]" + ")" * 140):
        spec = parse_spec("f", f"y[i] = {text}")
        assert parse_spec("f", format_spec(spec)) == spec
        assert evaluate(spec, {"x": np.ones(2)})["y"][0] in (140, 1)


def test_outputs_and_saved() -> None:
    spec = parse_spec("f", "a[i] = x[i]\nb[i] = a[i]\nc[i] = b[i]\nsaved(b)\nout(c, a)")
    assert (spec.outputs, spec.saved) == (("c", "a"), ("b",))
    assert parse_spec("f", "a[i] = x[i]\nb[i] = a[i]").outputs == ("b",)


def called() -> OpSpec:
    inner = parse_spec("scaled", "t[...] = x[...] * by\ny[...] = t[...] + 1")
    return parse_spec("f", "y_t[i] = z[i]\ny = scaled(y_t, by=2 * s)", {"scaled": inner})


def test_called_specs_get_fresh_names() -> None:
    spec = called()
    assert [t.name for s in spec.stages for t in s.targets] == ["y_t", "y_t_2", "y"]
    assert format_spec(spec).splitlines()[2] == "y_t_2[...] = y_t[...] * (2 * s)"


def test_spans_point_into_the_formula() -> None:
    span = parse_spec("f", "a[i] = x[i]\n  b[i] = a[i]").stages[1].span
    assert span is not None
    assert (span.path, span.line, span.column, span.end_column) == ("formula of f", 2, 3, 14)
