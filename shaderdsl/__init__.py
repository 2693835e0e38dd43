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
    "kernel": ("KernelProgram", "kernel", "module_wgsl"),
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
    "wgsl.literals": ("format_f16", "format_f32"),
    "wgsl.read_literal": ("parse_float", "read_literal"),
    "errors": (
        "ConstantError",
        "DeviceError",
        "DriverError",
        "GoldenError",
        "InternalError",
        "KernelTypeError",
        "LaunchError",
        "LimitError",
        "ScopeError",
        "ShaderError",
        "SignatureError",
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
