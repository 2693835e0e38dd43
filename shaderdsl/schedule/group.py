"""A group: stages that one kernel computes, as a small concrete spec of its own, and the launch that a schedule makes of it.

The stages of a group share the names of their indices: where two stages say `i`, it is the same place. What one stage reads of another it reads at
its own place, so that the element is at hand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from shaderdsl.errors import Location
from shaderdsl.ir.kernel import Buffer, Kernel
from shaderdsl.spec.axes import reads_of
from shaderdsl.spec.notation import Dtype, OpSpec, Reduction, Stage
from shaderdsl.spec.shapes import Shape


class Kind(Enum):
    """How a group is computed: see the file of that name."""

    ROWS = "rows"
    CONTRACT = "contract"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Group:
    """spec: inputs are what it reads from memory, outputs what it writes. domain: its indices with their extents, in order.

    swept: those that its reductions are over, the others are rows; None where nothing is reduced. partials: reductions over the rows instead,
    with the tensor that their parts go to. notes: what it does otherwise than written.
    """

    name: str
    kind: Kind
    spec: OpSpec
    domain: Mapping[str, int]
    swept: tuple[str, ...] | None
    shapes: Mapping[str, Shape]
    dtypes: Mapping[str, Dtype]
    partials: Mapping[str, str] = field(default_factory=dict[str, str])
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[str, ...]:
        """The indices that nothing is reduced over."""
        return tuple(n for n in self.domain if n not in (self.swept or ()))

    def is_element(self, stage: Stage) -> bool:
        """Whether a stage has a value at each point of the domain, and not one a row."""
        return not is_reduction(stage) and (self.swept is None or len(stage.targets[0].bounds) == len(self.domain))

    def count(self, names: Sequence[str]) -> int:
        """The number of points of some indices."""
        return math.prod(self.domain[n] for n in names)


@dataclass(frozen=True, slots=True, eq=False)
class Launch:
    """One dispatch: a kernel, the tensors that it reads and writes, and its workgroups. notes: what it does otherwise than written.

    group: what it computes. loc: the user's line that the last of it came from. over: results that are written over what is read, each with that tensor.
    tensors: those behind buffers of another name. fills_shared: whether it writes all of its shared memory before it reads it, so that nothing need be
    cleared.
    """

    kernel: Kernel
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    groups: int
    notes: tuple[str, ...] = ()
    group: Group | None = None
    loc: Location | None = None
    over: Mapping[str, str] = field(default_factory=dict[str, str])
    fills_shared: bool = False
    tensors: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def bound(self) -> dict[str, Buffer]:
        """The kernel's buffers by the tensors behind them."""
        return {self.tensor(b.variable.name): b for b in self.kernel.buffers}

    def tensor(self, buffer: str) -> str:
        """The tensor behind a buffer."""
        return self.tensors.get(buffer, buffer)

    @property
    def name(self) -> str:
        """The ops that it computes."""
        return self.kernel.name


def is_reduction(stage: Stage) -> bool:
    return isinstance(stage.how, Reduction)


def levels_of(spec: OpSpec) -> dict[str, int]:
    """How many reductions of a row lie before each stage can be computed."""
    levels: dict[str, int] = {}
    for stage in spec.stages:
        found = 0
        for read in reads_of(stage):
            maker = spec.stage_of(read.tensor)
            if maker is not None:
                found = max(found, levels[read.tensor] + is_reduction(maker))
        levels[stage.targets[0].name] = found
    return levels
