"""shaderdsl: GPU compute kernels as typed Python, as readable WGSL, proved right before they reach a driver.

    from typing import Annotated
    import shaderdsl as sd
    from shaderdsl import f32

    @sd.kernel(workgroup_size=256)
    def double(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
        with k.each(x.n) as i:
            y[i] = x[i] * 2

The public names are loaded when first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shaderdsl.public import *  # noqa: F403 (the same names, for type checkers)

__version__ = "0.1.0"

ROOMS: dict[str, tuple[str, ...]] = {
    "program": ("KernelProgram", "kernel", "module_wgsl"),
    "operation": ("Op", "op"),
    "graph.compiled": ("Plan", "compile"),
    "graph.grad": ("grad",),
    "graph.tensor": ("Scalar", "Tensor"),
    "resident": ("array", "dtype"),
    "runtime.array": ("DeviceArray",),
    "wgsl.shader": ("Shader",),
    "lang.kernel": ("Kernel",),
    "lang.signature": ("Binding", "Param", "Static"),
    "lang.memory": ("In", "InOut", "Memory", "Out", "Table"),
    "lang.place": ("Atomic", "Place", "Var"),
    "lang.annotations": ("Array",),
    "lang.struct": ("struct",),
    "lang.function": ("function",),
    "lang.scalars": ("bool_", "f16", "f32", "i32", "u32"),
    "lang.vectors": tuple(f"vec{n}{s}" for n in (2, 3, 4) for s in "bfhiu"),
    "lang.matrices": tuple(f"mat{c}x{r}{s}" for c in (2, 3, 4) for r in (2, 3, 4) for s in "fh"),
    "lang.functions.math": (
        "exp",
        "exp2",
        "log",
        "log2",
        "pow",
        "sqrt",
        "inverse_sqrt",
        "abs",
        "sign",
        "max",
        "min",
        "clamp",
        "saturate",
        "mix",
        "step",
        "smoothstep",
        "fma",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "asinh",
        "acosh",
        "atanh",
        "degrees",
        "radians",
    ),
    "lang.functions.rounding": (
        "ceil",
        "floor",
        "round",
        "trunc",
        "fract",
        "modf",
        "frexp",
        "ldexp",
        "quantize_to_f16",
    ),
    "lang.functions.bits": (
        "count_leading_zeros",
        "count_one_bits",
        "count_trailing_zeros",
        "first_leading_bit",
        "first_trailing_bit",
        "reverse_bits",
        "extract_bits",
        "insert_bits",
    ),
    "lang.functions.packing": (
        "pack2x16_float",
        "pack2x16_snorm",
        "pack2x16_unorm",
        "pack4x8_snorm",
        "pack4x8_unorm",
        "pack4x_i8",
        "pack4x_u8",
        "pack4x_i8_clamp",
        "pack4x_u8_clamp",
        "unpack2x16_float",
        "unpack2x16_snorm",
        "unpack2x16_unorm",
        "unpack4x8_snorm",
        "unpack4x8_unorm",
        "unpack4x_i8",
        "unpack4x_u8",
        "dot4_i8_packed",
        "dot4_u8_packed",
    ),
    "lang.functions.geometry": (
        "dot",
        "cross",
        "length",
        "distance",
        "normalize",
        "reflect",
        "refract",
        "face_forward",
        "determinant",
        "transpose",
    ),
    "lang.functions.logic": ("select", "where", "all", "any"),
    "lang.functions.integers": ("div_trunc", "mod_trunc", "div_floor", "mod_floor"),
    "lang.functions.stable": ("tanh", "sigmoid", "softplus", "silu"),
    "lang.functions.special": (
        "inf",
        "nan",
        "float_bits",
        "largest",
        "lowest",
        "is_nan",
        "is_inf",
        "is_finite",
        "bitcast",
    ),
    "testing.gradcheck": ("gradcheck",),
    "testing.literals": ("check_literal",),
    "wgsl.literals": ("format_f16", "format_f32"),
    "wgsl.read_literal": ("parse_float", "read_literal"),
    "debug": ("DebugLine",),
    "errors": (
        "AssertionFailed",
        "ConstantError",
        "DeviceError",
        "DriverError",
        "GoldenError",
        "GraphError",
        "InternalError",
        "KernelTypeError",
        "LaunchError",
        "LimitError",
        "ScopeError",
        "ShaderError",
        "SignatureError",
        "SpecError",
        "TargetError",
        "TraceError",
    ),
}
HOMES = {name: room for room, names in ROOMS.items() for name in names}
__all__ = sorted(HOMES)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """The one lazy seam: a public name loads the room it lives in."""
    room = HOMES.get(name)
    if room is None:
        raise AttributeError(f"module 'shaderdsl' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"shaderdsl.{room}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *HOMES])
