"""The end of the corridor: a shader's text with all that a launch has to know about it.

shader.text            # WGSL
shader.bindings        # (Binding("x", 0, 0, BindingKind.READ, RuntimeArray(F32), 4), ...)
shader.lines[11]       # the Python place of WGSL line 12, or None
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from shaderdsl.errors import Location
from shaderdsl.ir.layout import struct_layout
from shaderdsl.ir.types import Struct, Type


class BindingKind(Enum):
    """How a buffer is bound; the value is WebGPU's word in a bind group layout."""

    READ = "read-only-storage"
    READ_WRITE = "storage"
    UNIFORM = "uniform"


@dataclass(frozen=True, slots=True)
class Binding:
    """One `@group(group) @binding(binding) var<...> name: type`; `size` is the least number of bytes that its buffer must have."""

    name: str
    group: int
    binding: int
    kind: BindingKind
    type: Type
    size: int


@dataclass(frozen=True, slots=True)
class UniformField:
    """One field of the uniform struct, `offset` bytes from its start."""

    name: str
    type: Type
    offset: int


@dataclass(frozen=True, slots=True)
class Shader:
    """One entry point. `requires` holds WebGPU's feature names ("shader-f16", "subgroups"); `lines[i]` is the Python place of WGSL line i + 1."""

    text: str
    entry_point: str
    workgroup_size: tuple[int, int, int]
    bindings: tuple[Binding, ...]
    shared_bytes: int
    requires: frozenset[str]
    lines: tuple[Location | None, ...]

    @property
    def uniform(self) -> tuple[UniformField, ...]:
        """The uniform struct's fields as the host packs them; empty where the kernel has no uniform."""
        for binding in self.bindings:
            if binding.kind is BindingKind.UNIFORM and isinstance(binding.type, Struct):
                offsets = struct_layout(binding.type).offsets
                return tuple(UniformField(m.name, m.type, o) for m, o in zip(binding.type.members, offsets))
        return ()
