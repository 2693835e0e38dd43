"""A chunk of workgroups that run in lock step, and the memory they see.

Values are arrays whose first axis is the lane, or one long where all lanes agree (which keeps uniform control flow in plain Python).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shaderdsl.ir.expr import AddressSpace, Input, Slot, Variable
from shaderdsl.numeric.host import Memory, zeros

Mask: TypeAlias = NDArray[np.bool_]
Groups: TypeAlias = tuple[int, int, int]


@dataclass(slots=True, eq=False)
class Lanes:
    """Workgroups `first` to `first + groups - 1` of a grid, all their invocations side by side.

    values: what slots hold. memory: of this chunk, by variable; storage is shared by all chunks. group_of: each lane's workgroup.
    """

    grid: Groups
    workgroup_size: Groups
    numbers: NDArray[np.int64]
    storage: dict[Variable, Memory]
    params: dict[str, Memory]
    values: dict[Slot, Any] = field(default_factory=dict[Slot, Any])
    memory: dict[Variable, Memory] = field(default_factory=dict[Variable, Memory])

    @property
    def groups(self) -> int:
        return len(self.numbers)

    @property
    def size(self) -> int:
        """Invocations in a workgroup."""
        x, y, z = self.workgroup_size
        return x * y * z

    @property
    def count(self) -> int:
        return self.groups * self.size

    @property
    def group_of(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(self.groups), self.size)

    @property
    def everyone(self) -> Mask:
        return np.ones(self.count, np.bool_)

    def declare(self, variable: Variable) -> None:
        """Zeroed memory for a variable: one a group if shared, else one a lane."""
        batch = self.groups if variable.space is AddressSpace.WORKGROUP else self.count
        self.memory[variable] = zeros(variable.type, (batch,))

    def memory_of(self, variable: Variable) -> Memory:
        return self.storage[variable] if variable.space is AddressSpace.STORAGE else self.memory[variable]

    def input(self, source: Input) -> NDArray[np.uint32]:
        """A built-in input of every lane."""
        match source:
            case Input.LOCAL_INVOCATION_INDEX:
                return np.tile(np.arange(self.size, dtype=np.uint32), self.groups)
            case Input.LOCAL_INVOCATION_ID:
                return np.tile(coordinates(np.arange(self.size), self.workgroup_size), (self.groups, 1))
            case Input.WORKGROUP_ID:
                return np.repeat(coordinates(self.numbers, self.grid), self.size, axis=0)
            case Input.NUM_WORKGROUPS:
                return np.array([self.grid], np.uint32)
            case Input.GLOBAL_INVOCATION_ID:
                size = np.array(self.workgroup_size, np.uint32)
                return self.input(Input.WORKGROUP_ID) * size + self.input(Input.LOCAL_INVOCATION_ID)


def coordinates(numbers: NDArray[np.int64], extents: Groups) -> NDArray[np.uint32]:
    """x, y, z of flat numbers, x fastest."""
    x, y, _ = extents
    return np.stack([numbers % x, numbers // x % y, numbers // (x * y)], axis=1).astype(np.uint32)
