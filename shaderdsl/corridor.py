"""The corridor in one function: a traced Kernel through the passes to a Shader.

traced Kernel --passes--> Kernel --emit--> Shader
"""

from __future__ import annotations

from shaderdsl.ir.kernel import Kernel
from shaderdsl.passes.pipeline import DEBUG, STANDARD, run
from shaderdsl.passes.shared_zero import clear_shared
from shaderdsl.wgsl.module import Dialect, emit_module
from shaderdsl.wgsl.shader import Shader


def lower(kernel: Kernel, *, debug: bool = False, clear: bool = False) -> Kernel:
    """A traced kernel as it is emitted; `debug` keeps its prints and assertions, as writes to a log buffer; `clear` clears its shared memory."""
    passes = DEBUG if debug else STANDARD
    return run(kernel, (clear_shared, *passes) if clear else passes)


def module_of(kernels: list[Kernel], dialect: Dialect) -> list[Shader]:
    """Several kernels in one module."""
    return emit_module([lower(k) for k in kernels], dialect)
