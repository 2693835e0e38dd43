"""Literals run on a device: what arrives in a storage buffer, as bits.

run_singles(device, ["0.1f", "1e-45f"])       # array([0x3dcccccd, 0x00000001], dtype=uint32)
run_halves(device, ["0.09998h"])              # array([0x2e66], dtype=uint16)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shaderdsl.ir.types import F16, U32, Member, RuntimeArray, Scalar, Struct, Type, Vector
from shaderdsl.runtime.buffers import POISON, DeviceBuffer
from shaderdsl.runtime.device import Backend, Device
from shaderdsl.runtime.launch import launch
from shaderdsl.wgsl.shader import Binding, BindingKind, Shader

A_SHADER = 1_000
WORD = np.dtype(np.uint32)
PARAMS = Binding("params", 0, 1, BindingKind.UNIFORM, Struct("Params", (Member("zero", U32),)), 16)
HEAD = """struct Params { zero: u32, pad0: u32, pad1: u32, pad2: u32 }
@group(0) @binding(0) var<storage, read_write> y: array<ELEMENT>;
@group(0) @binding(1) var<uniform> params: Params;
"""


def run_singles(device: Device, literals: Sequence[str]) -> NDArray[np.uint32]:
    """The bits of f32 expressions, which may use `params.zero` on wgpu. SwiftShader is slow on long bodies, lavapipe on tables."""
    write = vectors_of_singles if device.backend is Backend.WGPU else table_of_singles
    parts = [write(device, list(literals[start : start + A_SHADER])) for start in range(0, len(literals), A_SHADER)]
    return np.concatenate(parts)


def vectors_of_singles(device: Device, literals: list[str]) -> NDArray[np.uint32]:
    """Four to a statement: `y[0] = bitcast<vec4<u32>>(vec4<f32>(a, b, c, d));`."""
    words = [f"bitcast<vec4<u32>>(vec4<f32>({group}))" for group in fours(literals, "0.0f")]
    return run(device, statements(words), Vector(4, U32), 4 * len(words), WORD)[: len(literals)]


def table_of_singles(device: Device, literals: list[str]) -> NDArray[np.uint32]:
    """A constant array, read in a loop."""
    table = f"const table = array<f32, {len(literals)}>({', '.join(literals)});\n"
    body = f"    for (var i = 0u; i < {len(literals)}u; i++) {{ y[i] = bitcast<u32>(table[i]); }}"
    return run(device, body, U32, len(literals), WORD, table)


def run_words(device: Device, words: Sequence[str]) -> NDArray[np.uint32]:
    """The values of a few u32 expressions, which may use `params.zero`."""
    return run(device, statements(words), U32, len(words), WORD)


def run_halves(device: Device, literals: Sequence[str]) -> NDArray[np.uint16]:
    """The bits of f16 expressions, which may use `params.zero`, four to a statement."""
    parts: list[NDArray[np.uint16]] = []
    for start in range(0, len(literals), A_SHADER):
        chosen = literals[start : start + A_SHADER]
        words = [f"vec4<f16>({group})" for group in fours(chosen, "0.0h")]
        arrived = run(device, statements(words), Vector(4, F16), 4 * len(words), np.dtype(np.uint16), "enable f16;\n")
        parts.append(arrived[: len(chosen)])
    return np.concatenate(parts)


def fours(literals: Sequence[str], filler: str) -> list[str]:
    """The literals in groups of four, the last filled up."""
    padded = [*literals, *[filler] * (-len(literals) % 4)]
    return [", ".join(padded[start : start + 4]) for start in range(0, len(padded), 4)]


def statements(words: Sequence[str]) -> str:
    return "\n".join(f"    y[{index}] = {word};" for index, word in enumerate(words))


def run(
    device: Device, body: str, element: Scalar | Vector, count: int, dtype: np.dtype[np.unsignedinteger], head: str = ""
) -> NDArray[np.unsignedinteger]:
    """`count` numbers of `dtype` that the body leaves in `y`."""
    array: Type = RuntimeArray(element)
    bindings = (Binding("y", 0, 0, BindingKind.READ_WRITE, array, 16), PARAMS)
    # Every binding is used, so that both compilers keep it.
    keep = "    let keep = params.zero;\n    _ = keep;\n"
    main = f"@compute @workgroup_size(1)\nfn main() {{\n{keep}{body}\n}}\n"
    text = head + HEAD.replace("ELEMENT", str(element)) + main
    requires = frozenset({"shader-f16"} if "f16" in head else ())
    target = DeviceBuffer.allocate(device, count * dtype.itemsize, fill=POISON)
    launch(device, Shader(text, "main", (1, 1, 1), bindings, 0, requires, ()), {"y": target}, bytes(16), (1, 1, 1))
    arrived = target.download(dtype, (count,))
    target.free()
    return arrived
