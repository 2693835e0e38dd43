"""Tiles of contractions: how much of the output a workgroup computes, and how much of it each invocation holds in registers.

tile_of([Work(1, 4096, 4096, 4096)])      # Tile(rows=64, columns=128, depth=8, height=8, width=8): 128 invocations
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_SHARED = 16384
"""Bytes of a workgroup's memory, by the portable limit."""
WIDE_GPU = 132
"""Processors of a large GPU. Portable text cannot ask for their number; a smaller GPU loses little by smaller tiles."""
FULL = 256
"""Invocations that keep a processor busy, whatever workgroups they are in."""


@dataclass(frozen=True, slots=True)
class Tile:
    """rows x columns of the output a workgroup, height x width of them an invocation, depth terms of the sum at a time.

    All are multiples of 4, and depth is doubly buffered.
    """

    rows: int
    columns: int
    depth: int
    height: int
    width: int

    @property
    def across(self) -> int:
        """Invocations side by side along the columns."""
        return self.columns // self.width

    @property
    def down(self) -> int:
        return self.rows // self.height

    @property
    def threads(self) -> int:
        return self.across * self.down

    @property
    def shared_bytes(self) -> int:
        return 2 * 4 * self.depth * (self.rows + self.columns)


@dataclass(frozen=True, slots=True)
class Work:
    """What one part of a kernel computes: batches of rows x columns, each a sum of `terms`, for so many contractions in one tile."""

    batches: int
    rows: int
    columns: int
    terms: int
    together: int = 1

    def tiles(self, tile: Tile) -> int:
        return self.batches * -(-self.rows // tile.rows) * -(-self.columns // tile.columns)


TILES = {
    Tile(64, 128, 8, 8, 8): 1.0,
    Tile(128, 64, 8, 8, 8): 0.98,
    Tile(128, 128, 8, 8, 8): 0.97,
    Tile(64, 64, 8, 8, 4): 0.8,
    Tile(32, 128, 8, 4, 8): 0.75,
    Tile(32, 64, 16, 4, 4): 0.65,
    Tile(32, 32, 16, 4, 4): 0.5,
    Tile(16, 64, 16, 4, 4): 0.45,
    Tile(64, 16, 16, 4, 4): 0.45,
    Tile(16, 32, 16, 4, 4): 0.35,
    Tile(4, 128, 8, 4, 4): 0.12,
    Tile(128, 4, 8, 4, 4): 0.12,
}
"""Tiles with the part of the best speed that they reach where there is work enough, by estimate: larger ones read shared memory less often."""
MOST_ACCUMULATORS = 128
"""Words that an invocation holds in accumulators; more would not stay in registers."""


def tile_of(works: Sequence[Work]) -> Tile:
    """A good tile without measuring: the least estimated time."""
    together = max(w.together for w in works)
    fitting = [t for t in TILES if together * t.height * t.width <= MOST_ACCUMULATORS] or [*TILES][-1:]
    return min(fitting, key=lambda t: estimate(t, works))


def estimate(tile: Tile, works: Sequence[Work]) -> float:
    """Time in products and sums at full speed: those of all tiles, padding counted, on a GPU that is busy or not."""
    count = sum(w.tiles(tile) * w.together for w in works)
    terms = max(w.terms for w in works)
    return max(count, WIDE_GPU * FULL / tile.threads) * tile.rows * tile.columns * terms / TILES[tile]
