"""Several kernels in one module, explicit places of bindings, and directives: in the text, on both compilers, at launch."""

from __future__ import annotations

import re
from typing import Annotated, Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import f16, f32, u32
from shaderdsl.corridor import module_of
from shaderdsl.execute import Request, run
from shaderdsl.runtime.device import Backend, Device
from shaderdsl.runtime.validate import naga_refusal, tint_refusal
from shaderdsl.wgsl.module import Dialect
from shaderdsl.wgsl.shader import Shader

DIALECTS = {"wgpu": Dialect.NAGA, "dawn": Dialect.TINT}


@sd.struct
class Pair:
    left: f32
    right: f32


@sd.function
def square(x: f32) -> f32:
    return x * x


@sd.function
def fourth(x: f32) -> f32:
    return square(square(x))


@sd.kernel(workgroup_size=32)
def first(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "n"],
    y: Annotated[sd.Out[f32], "n"],
    a: sd.Param[f32],
    on: sd.Param[sd.bool_],
) -> None:
    tile = k.shared(f32, 32)
    with k.each_group((x.n + 31) // 32) as group:
        i = group * 32 + k.local_index
        tile[k.local_index] = f32(0)
        with k.if_(i < x.n):
            tile[k.local_index] = fourth(x[i]) * a
        total = k.group_sum(tile[k.local_index])
        with k.if_((i < x.n) & on):
            y[i] = total


@sd.kernel(workgroup_size=64)
def second(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[Pair], "n"], a: sd.Param[f32], b: sd.Param[f32]
) -> None:
    weights = k.table(f32, [1, 2, 4])
    tile = k.shared(f32, 64)
    with k.each_group((x.n + 63) // 64) as group:
        i = group * 64 + k.local_index
        tile[k.local_index] = f32(i)
        total = k.group_sum(tile[k.local_index])
        with k.if_(i < x.n):
            y[i] = Pair(left=square(x[i]) + weights[i % 3] * b, right=a + total * 0 + fourth(b))


X = np.arange(40, dtype=np.float32) / 4
ARGUMENTS: dict[str, dict[str, Any]] = {"first": {"x": X, "a": 0.5, "on": True}, "second": {"x": X, "a": 3.0, "b": 2.0}}
BOTH = [first, second]


def modules(device_name: str) -> list[Shader]:
    return module_of([k.trace() for k in BOTH], DIALECTS[device_name])


@pytest.mark.parametrize("place", [0, 1])
def test_each_kernel_of_a_module_launches(device_name: str, place: int) -> None:
    """The module's text in place of the kernel's own gives the same results."""
    kernel, shader = BOTH[place], modules(device_name)[place]
    given = ARGUMENTS[kernel.__name__]

    def shaders(backend: Backend) -> Shader:
        assert backend.value == device_name
        return shader

    got = run(kernel.trace(), shaders, given, kernel.signature, Request(device_name, None, {}))
    alone = kernel(**given, device=device_name)
    assert got.tobytes() == alone.tobytes()
    assert np.any(got.view(np.float32) != 0)


@pytest.mark.parametrize("dialect", ["naga", "tint"])
def test_both_compilers_take_both_entry_points(dialect: str) -> None:
    text = sd.module_wgsl(first, second, dialect=dialect)
    assert naga_refusal(text, ["first", "second"]) is None
    assert tint_refusal(text, ["first", "second"]) is None


def test_functions_are_shared_and_names_are_unique() -> None:
    text = sd.module_wgsl(first, second)
    assert text.count("fn square(") == 1
    assert text.count("fn fourth(") == 1
    declared = re.findall(r"^(?:@.*)?(?:fn|struct|const|var<[^>]*>) (\w+)", text, re.MULTILINE)
    assert len(declared) == len(set(declared))
    assert {"first", "second", "square", "x", "y", "tile", "tile_1", "params", "Pair", "weights"} <= set(declared)


def test_a_module_of_one_is_the_kernels_own_text() -> None:
    assert sd.module_wgsl(first) == first.wgsl()
    assert sd.module_wgsl(second, dialect="tint") == second.wgsl("tint")


def test_the_order_is_the_callers() -> None:
    forward, backward = sd.module_wgsl(first, second), sd.module_wgsl(second, first)
    assert forward.index("fn first(") < forward.index("fn second(")
    assert backward.index("fn second(") < backward.index("fn first(")


def test_a_module_twice_is_the_same_text() -> None:
    assert sd.module_wgsl(first, second) == sd.module_wgsl(first, second)


@sd.kernel(workgroup_size=32, entry_point="main_of_places", uniform=sd.Binding(1, 5))
def placed(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "n", sd.Binding(0, 3)],
    y: Annotated[sd.In[f32], "n"],
    out: Annotated[sd.Out[f32], "n", sd.Binding(2, 1)],
    bias: sd.Param[f32],
) -> None:
    with k.each(x.n) as i:
        out[i] = x[i] + y[i] + bias


PLACES = {"x": (0, 3), "y": (0, 0), "out": (2, 1), "params": (1, 5)}


def test_explicit_places_stand_in_the_text_and_at_launch(executor_name: str) -> None:
    text = placed.wgsl()
    found = re.findall(r"@group\((\d+)\) @binding\((\d+)\) var<[^>]*> (\w+)", text)
    assert {name: (int(g), int(b)) for g, b, name in found} == PLACES
    assert {b.name: (b.group, b.binding) for b in placed.shader().bindings} == PLACES
    assert "fn main_of_places(" in text
    np.testing.assert_array_equal(placed(X, X * 2, bias=0.5, device=executor_name), X * 3 + np.float32(0.5))


def test_explicit_places_survive_a_module_and_debugging() -> None:
    text = sd.module_wgsl(first, placed)
    assert "@group(2) @binding(1) var<storage, read_write> out: array<f32>;" in text
    assert "@group(1) @binding(5) var<uniform> params_1: Params_1;" in text
    assert {b.name: (b.group, b.binding) for b in placed.shader(debug=True).bindings}.items() >= PLACES.items()


DERIVATIVES = "diagnostic(off, derivative_uniformity);"
POINTERS = "requires pointer_composite_access;"


@sd.kernel(directives=["diagnostic(off,  derivative_uniformity)", POINTERS, "enable f16"])
def directed(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        k.print("x={}", x[i])
        y[i] = x[i]


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("dialect", ["naga", "tint"])
def test_directives_survive_every_path(dialect: str, debug: bool) -> None:
    head = directed.wgsl(dialect, debug=debug).split("\n\n")[0].splitlines()
    assert head == [DERIVATIVES, POINTERS, "enable f16;"]
    assert directed.shader(dialect, debug=debug).requires == {"shader-f16"}


@pytest.mark.parametrize("dialect", ["naga", "tint"])
def test_directives_of_a_module_stand_first_and_once(dialect: str) -> None:
    text = sd.module_wgsl(first, directed, placed, directed_too, dialect=dialect)
    assert text.startswith(f"{DERIVATIVES}\n{POINTERS}\nenable f16;\n\n")
    assert [text.count(d) for d in (DERIVATIVES, POINTERS, "enable f16;")] == [1, 1, 1]


@sd.kernel(directives=[DERIVATIVES])
def directed_too(k: sd.Kernel, x: Annotated[sd.In[f16], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i].f32


def test_directives_are_taken_by_the_compilers() -> None:
    assert naga_refusal(directed_too.wgsl(), ["directed_too"]) is None
    assert tint_refusal(directed.wgsl("tint").replace("enable f16;\n", ""), ["directed"]) is None


@sd.kernel(workgroup_size=32, directives=["enable subgroups"])
def grouped(k: sd.Kernel, y: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = i


@pytest.mark.parametrize(
    "text",
    ["enable subgroups", "enable subgroups;", " enable  subgroups ;", "enable f16, subgroups", "enable subgroups,f16;"],
)
def test_subgroups_are_dropped_for_naga_only(text: str) -> None:
    @sd.kernel(directives=[text])
    def asked(k: sd.Kernel, y: Annotated[sd.Out[u32], "n"]) -> None:
        with k.each(y.n) as i:
            y[i] = i

    both = "f16" in text
    assert "subgroups" not in asked.wgsl("naga")
    assert ("enable f16;" in asked.wgsl("naga")) == both
    assert "enable subgroups;\n" in asked.wgsl("tint")
    for dialect in ("naga", "tint"):
        assert asked.shader(dialect).requires == ({"shader-f16", "subgroups"} if both else {"subgroups"})
    assert naga_refusal(asked.wgsl("naga"), ["asked"]) is None


def test_subgroups_launch_where_they_are() -> None:
    assert grouped(axes={"n": 3}, device="interpreter").tolist() == [0, 1, 2]
    assert grouped(axes={"n": 3}, device="wgpu").tolist() == [0, 1, 2]


@sd.kernel(entry_point="main")
def one_main(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = f32(1)


@sd.kernel(entry_point="main")
def other_main(k: sd.Kernel, y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(y.n) as i:
        y[i] = f32(2)


def test_one_entry_point_twice_is_refused() -> None:
    """The host asks for entry points by name: none is renamed in silence."""
    with pytest.raises(sd.LaunchError, match="main is the entry point of two kernels"):
        sd.module_wgsl(one_main, other_main)
    with pytest.raises(sd.LaunchError, match="first is the entry point of two kernels"):
        sd.module_wgsl(first, first)


def test_subgroups_on_dawn_run_or_are_refused_by_name(dawn_device: Device) -> None:
    """Tint gets the directive; a device without the feature is refused before it."""
    if "subgroups" in dawn_device.features:
        assert grouped(axes={"n": 3}, device="dawn").tolist() == [0, 1, 2]
        return
    with pytest.raises(sd.DeviceError, match="has no subgroups"):
        grouped(axes={"n": 3}, device="dawn")


@sd.function
def raised(x: f32) -> f32:
    return x + 1


@sd.kernel(entry_point="start")
def calling(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], lowered: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        lowered[i] = raised(x[i])


@sd.kernel(entry_point="raised")
def named_raised(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i]


@sd.kernel(entry_point="lowered")
def named_lowered(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i]


def test_entry_points_keep_their_names_beside_functions_and_buffers_of_other_kernels() -> None:
    text = sd.module_wgsl(calling, named_raised, named_lowered)
    assert naga_refusal(text, ["start", "raised", "lowered"]) is None
    assert tint_refusal(text, ["start", "raised", "lowered"]) is None


@sd.kernel
def halved(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] / 2


@sd.kernel
def in_place(k: sd.Kernel, x: Annotated[sd.InOut[f32], "n"], z: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        z[i] = x[i]
        x[i] = x[i] / 3


@sd.kernel
def doubled(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * 2


def test_kernels_share_what_they_bind_alike() -> None:
    text = sd.module_wgsl(halved, in_place, doubled)
    declared = re.findall(r"^(@.*) var<(.*)> (\w+)", text, re.MULTILINE)
    assert declared == [
        ("@group(0) @binding(0)", "storage, read", "x"),
        ("@group(0) @binding(1)", "storage, read_write", "y"),
        ("@group(0) @binding(2)", "uniform", "params"),
        ("@group(0) @binding(0)", "storage, read_write", "x_1"),
        ("@group(0) @binding(1)", "storage, read_write", "z"),
    ]
    assert text.count("struct ") == 1
    assert "y[i] = x[i] * 2.0f;" in text
    assert "z[i] = x_1[i];" in text
    assert naga_refusal(text, ["halved", "in_place", "doubled"]) is None
    assert tint_refusal(text, ["halved", "in_place", "doubled"]) is None


def test_a_kernel_stands_behind_what_it_declares() -> None:
    lines = sd.module_wgsl(first, second).splitlines()
    assert lines.index("fn first(") < next(n for n, line in enumerate(lines) if "tile_1:" in line)
    assert lines[next(n for n, line in enumerate(lines) if line.startswith("struct Params_1")) - 1] == ""
