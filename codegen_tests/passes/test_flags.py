"""Bools in shared memory become words: the text, the law, and a fixture that must fail."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import f32, u32
from shaderdsl.errors import InternalError
from shaderdsl.ir.types import BOOL, Array, Member, Struct, Vector, mentions
from shaderdsl.passes.flags import flags_as_words, word_type


@sd.kernel(workgroup_size=8)
def neighbours(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "rows, 8"],
    y: Annotated[sd.Out[u32], "rows, 8"],
    z: Annotated[sd.Out[u32], "rows"],
) -> None:
    flags = k.shared(sd.bool_, 8)
    pairs = k.shared(sd.vec2b, 8)
    with k.each_group(x.rows) as row:
        value = x[row, k.local_index]
        flags[k.local_index] = value > 0
        pairs[k.local_index] = sd.vec2b(value > 1, value < -1)
        k.barrier()
        other = (k.local_index + 1) % 8
        y[row, k.local_index] = flags[other].u32 + pairs[other].y.u32 * 2
        first = k.workgroup_uniform_load(flags.at(0))
        with k.if_(k.local_index == 0):
            z[row] = first.u32


X = np.linspace(-2, 2, 24, dtype=np.float32).reshape(3, 8)


def test_the_text_holds_words() -> None:
    text = neighbours.wgsl()
    assert "var<workgroup> flags: array<u32, 8>;" in text
    assert "var<workgroup> pairs: array<vec2u, 8>;" in text
    assert "flags[local_invocation_index] = u32(value > 0.0f);" in text
    assert "flags[other] != 0u" in text
    assert "array<bool" not in text


def test_no_bool_is_left_in_shared_memory() -> None:
    before = neighbours.trace()
    assert any(mentions(v.type, BOOL) for v in before.shared)
    assert not any(mentions(v.type, BOOL) for v in flags_as_words(before).shared)


def test_a_kernel_without_flags_stays_itself() -> None:
    lowered = neighbours.lowered()
    assert flags_as_words(lowered) is lowered


def test_devices_agree_with_the_interpreter(executor_name: str) -> None:
    found = neighbours(X, device=executor_name)
    turned = np.roll(X, -1, axis=1)
    np.testing.assert_array_equal(found["y"], (turned > 0) + 2 * (turned < -1).astype(np.uint32))
    np.testing.assert_array_equal(found["z"], X[:, 0] > 0)


def test_types_become_words() -> None:
    assert str(word_type(Array(Array(Vector(3, BOOL), 2), 4))) == "array<array<vec3<u32>, 2>, 4>"
    with pytest.raises(InternalError, match="lies in shared memory"):
        word_type(Struct("Pair", (Member("flag", BOOL),)))
