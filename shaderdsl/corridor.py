"""The corridor in one function: a traced Kernel through the passes to a Shader.

    traced Kernel --passes--> Kernel --emit--> Shader
"""

from __future__ import annotations

from shaderdsl.ir.kernel import Kernel
from shaderdsl.passes.pipeline import STANDARD, run
from shaderdsl.wgsl.module import Dialect, emit, emit_module
from shaderdsl.wgsl.shader import Shader


def lower(kernel: Kernel) -> Kernel:
    """A traced kernel as it is emitted."""
    return run(kernel, STANDARD)


def shader_of(kernel: Kernel, dialect: Dialect) -> Shader:
    """The WGSL of a traced kernel, with bindings, sizes and line map."""
    return emit(lower(kernel), dialect)


def module_of(kernels: list[Kernel], dialect: Dialect) -> list[Shader]:
    """Several kernels in one module."""
    return emit_module([lower(k) for k in kernels], dialect)
