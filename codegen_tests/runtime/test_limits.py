"""Each limit is met exactly at its bound, with the arithmetic in the message."""

from __future__ import annotations

import pytest

from codegen_tests.runtime.shaders import shader, storage
from shaderdsl.errors import LimitError
from shaderdsl.ir.types import F32, Array, Vector
from shaderdsl.runtime.limits import PORTABLE, check_limits
from shaderdsl.runtime.validate import null_device
from shaderdsl.wgsl.shader import Binding, BindingKind, Shader


def uniform(size: int) -> Binding:
    return Binding("params", 0, 9, BindingKind.UNIFORM, Array(Vector(4, F32), size // 16), size)


def buffers(count: int) -> list[Binding]:
    return [storage(f"b{i}", i) for i in range(count)]


WITHIN = [
    shader("", "f", size=(256, 1, 1)),
    shader("", "f", size=(4, 1, 64)),
    shader("", "f", shared=16384),
    shader("", "f", [*buffers(8), uniform(65536)]),
    shader("", "f", [storage("a", 0, group=3)]),
]
BEYOND = [
    (shader("", "f", size=(257, 1, 1)), "workgroup size 257 on axis x, the limit is 256"),
    (shader("", "f", size=(1, 1, 65)), "workgroup size 65 on axis z, the limit is 64"),
    (shader("", "f", size=(16, 4, 8)), "workgroup size 16 x 4 x 8 is 512 invocations, the limit is 256"),
    (shader("", "f", shared=16388), "shared memory takes 16388 bytes, the limit is 16384"),
    (shader("", "f", buffers(9)), "9 storage buffers, the limit is 8"),
    (shader("", "f", [uniform(16)] * 13), "13 uniform buffers, the limit is 12"),
    (shader("", "f", [uniform(65552)]), "uniform 'params' takes 65552 bytes, the limit is 65536"),
    (shader("", "f", [storage("a", 0, group=4)]), "binding 'a' is in group 4, groups go from 0 to 3"),
]


@pytest.mark.parametrize("fits", WITHIN)
def test_at_the_bound(fits: Shader) -> None:
    check_limits(fits, PORTABLE)
    assert fits.entry_point == "f"


@pytest.mark.parametrize(("over", "message"), BEYOND)
def test_beyond_the_bound(over: Shader, message: str) -> None:
    with pytest.raises(LimitError) as caught:
        check_limits(over, PORTABLE)
    assert caught.value.message == message


def test_the_table_is_what_dawn_grants_by_default() -> None:
    granted = null_device().raw.limits
    assert {name: granted[name] for name in PORTABLE} == dict(PORTABLE)
