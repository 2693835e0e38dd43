"""What `kernel.shader()` tells besides the text."""

from __future__ import annotations

from codegen_tests.kernels.norm import rms_norm
from shaderdsl.ir.types import F32, U32
from shaderdsl.wgsl.shader import BindingKind, UniformField


def test_the_uniform_is_described_field_by_field() -> None:
    fields = rms_norm.shader().uniform
    assert UniformField("eps", F32, 0) in fields
    assert [f.offset for f in fields] == [4 * n for n in range(len(fields))]
    assert {f.type for f in fields} <= {F32, U32}


def test_every_line_has_a_place_or_none_and_statements_point_at_python() -> None:
    shader = rms_norm.shader()
    lines = shader.text.splitlines()
    assert len(shader.lines) == len(lines)
    store = next(place for line, place in zip(lines, shader.lines) if line.strip().startswith("y["))
    assert store is not None
    assert store.span().path.endswith("norm.py")
    assert "y[" in store.span().source


def test_bindings_come_in_the_order_of_the_signature() -> None:
    bindings = rms_norm.shader().bindings
    assert [b.binding for b in bindings] == list(range(len(bindings)))
    assert bindings[-1].kind is BindingKind.UNIFORM
