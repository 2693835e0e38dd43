"""The library's backwards are read from their records, without sympy, where they were recorded, and derived elsewhere."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.ops.library import DERIVED, case
from shaderdsl import ops
from shaderdsl.operation import with_backward
from shaderdsl.spec import derive
from shaderdsl.spec.derive import vjp
from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec


def done(program: str) -> str:
    """What a fresh Python says of a program, empty where it ends well."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False).stderr


def test_a_recorded_backward_needs_no_sympy() -> None:
    program = (
        "import sys\nfrom shaderdsl import ops\n"
        "ops.softmax.vjp.formula, ops.matmul.vjp.wgsl(), ops.layer_norm.vjp.inputs\n"
        "assert 'sympy' not in sys.modules"
    )
    assert done(program) == ""
    assert "AssertionError" in done(program.replace("ops.matmul.vjp.wgsl()", "ops.matmul.jvp.wgsl()"))


@pytest.mark.parametrize("name", DERIVED)
def test_the_text_of_a_backward_means_the_same(name: str) -> None:
    derived = vjp(case(name)[0])
    assert parse_spec(derived.name, format_spec(derived)) == derived


def test_only_the_recorded_rank_is_read() -> None:
    formula = "y[..., i] = x[..., i] * x[..., i]"
    told = with_backward(sd.op("square", formula), "given x[b, i], d_y[b, i]\nd_x[b, i] = 7 * d_y[b, i] * x[b, i]")
    for shape, factor in (((2, 3), 7), ((3,), 2), ((2, 2, 3), 2)):
        x = np.ones(shape)
        np.testing.assert_array_equal(told.vjp.reference(x=x, d_y=x)["x"], factor * x)


def test_other_ranks_are_right_in_the_library() -> None:
    random = np.random.default_rng(0)
    x, d_y = random.normal(size=(2, 3, 2, 5)), random.normal(size=(2, 3, 2, 5))
    flat = ops.softmax.vjp.reference(x=x.reshape(-1, 5), d_y=d_y.reshape(-1, 5))["x"]
    np.testing.assert_allclose(ops.softmax.vjp.reference(x=x, d_y=d_y)["x"].reshape(-1, 5), flat, rtol=1e-14)


def test_a_backward_is_derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    real: Callable[..., OpSpec] = derive.vjp

    def counting(spec: OpSpec) -> OpSpec:
        made.append("vjp")
        return real(spec)

    monkeypatch.setattr(derive, "vjp", counting)
    cube = sd.op("cube", "y[i] = x[i] ** 3")
    for _ in range(3):
        cube.vjp(x=np.ones(3), d_y=np.ones(3), device="interpreter")
    assert made == ["vjp"]


@pytest.mark.parametrize("kind", ["vjp", "jvp"])
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("fill", "fill has no derivative: it reads no tensor of floats"),
        ("argmax", "argmax has no derivative: it gives whole numbers or conditions"),
    ],
)
def test_where_there_is_nothing_to_derive(name: str, why: str, kind: str) -> None:
    with pytest.raises(sd.SpecError) as caught:
        getattr(getattr(ops, name), kind)
    assert caught.value.message == why
    assert caught.value.hints
