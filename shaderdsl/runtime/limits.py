"""The limits that every WebGPU implementation grants; we ask for these and no more, so that a kernel that runs here runs everywhere.

PORTABLE["max-compute-invocations-per-workgroup"] == 256
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

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
