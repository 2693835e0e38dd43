"""The limits that every WebGPU implementation grants, and whether a shader keeps within limits.

    check_limits(shader, PORTABLE)      # LimitError: workgroup size 32 x 16 x 1 is 512 invocations, the limit is 256

We ask devices for the portable limits and no more, so that a kernel that runs here runs everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from types import MappingProxyType

from shaderdsl.errors import LimitError
from shaderdsl.wgsl.shader import BindingKind, Shader

PORTABLE: Mapping[str, int] = MappingProxyType(
    {
        "max-bind-groups": 4,
        "max-bindings-per-bind-group": 1000,
        "max-buffer-size": 256 * 1024 * 1024,
        "max-compute-invocations-per-workgroup": 256,
        "max-compute-workgroup-size-x": 256,
        "max-compute-workgroup-size-y": 256,
        "max-compute-workgroup-size-z": 64,
        "max-compute-workgroup-storage-size": 16384,
        "max-compute-workgroups-per-dimension": 65535,
        "max-storage-buffer-binding-size": 128 * 1024 * 1024,
        "max-storage-buffers-per-shader-stage": 8,
        "max-uniform-buffer-binding-size": 65536,
        "max-uniform-buffers-per-shader-stage": 12,
        "min-storage-buffer-offset-alignment": 256,
        "min-uniform-buffer-offset-alignment": 256,
    }
)
"""The specification's default limits, as far as they concern compute shaders."""


def check_limits(shader: Shader, limits: Mapping[str, int]) -> None:
    """A LimitError with the arithmetic, before a driver sees anything. Drivers check less: none counts shared memory on wgpu."""
    check_workgroup(shader, limits)
    check_bindings(shader, limits)
    most = limits["max-compute-workgroup-storage-size"]
    if shader.shared_bytes > most:
        raise LimitError(
            f"shared memory takes {shader.shared_bytes} bytes, the limit is {most}",
            hints=["use smaller tiles, or a narrower type such as f16"],
        )


def check_workgroup(shader: Shader, limits: Mapping[str, int]) -> None:
    """Each axis, and the product of all three."""
    for axis, size in zip("xyz", shader.workgroup_size, strict=True):
        most = limits[f"max-compute-workgroup-size-{axis}"]
        if size > most:
            raise LimitError(
                f"workgroup size {size} on axis {axis}, the limit is {most}",
                hints=["make the workgroup smaller and let it loop"],
            )
    total, most = prod(shader.workgroup_size), limits["max-compute-invocations-per-workgroup"]
    if total > most:
        sizes = " x ".join(str(size) for size in shader.workgroup_size)
        raise LimitError(
            f"workgroup size {sizes} is {total} invocations, the limit is {most}",
            hints=["make the workgroup smaller and let it loop"],
        )


def check_bindings(shader: Shader, limits: Mapping[str, int]) -> None:
    """How many storage and uniform buffers there are, in which groups, and how large the uniforms."""
    storage = [b.name for b in shader.bindings if b.kind is not BindingKind.UNIFORM]
    uniform = [b for b in shader.bindings if b.kind is BindingKind.UNIFORM]
    at_most("storage buffers", storage, limits["max-storage-buffers-per-shader-stage"])
    at_most("uniform buffers", [b.name for b in uniform], limits["max-uniform-buffers-per-shader-stage"])
    for binding in uniform:
        most = limits["max-uniform-buffer-binding-size"]
        if binding.size > most:
            raise LimitError(
                f"uniform {binding.name!r} takes {binding.size} bytes, the limit is {most}",
                hints=["pass large tables as In arrays"],
            )
    for binding in shader.bindings:
        most = limits["max-bind-groups"]
        if binding.group >= most:
            raise LimitError(
                f"binding {binding.name!r} is in group {binding.group}, groups go from 0 to {most - 1}",
                hints=["give a smaller group"],
            )


def at_most(what: str, names: list[str], most: int) -> None:
    if len(names) > most:
        raise LimitError(
            f"{len(names)} {what}, the limit is {most}",
            notes=["they are " + ", ".join(names)],
            hints=["split the kernel, or pack arrays"],
        )
