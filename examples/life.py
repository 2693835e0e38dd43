"""Conway's game of life on a torus, resident on the device for a hundred generations: python examples/life.py"""

from __future__ import annotations

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import u32


@sd.kernel(workgroup_size=(16, 16))
def step(k: sd.Kernel, now: Annotated[sd.In[u32], "h, w"], then: Annotated[sd.Out[u32], "h, w"]) -> None:
    with k.each(now.h, now.w) as (i, j):
        up, down = (i + now.h - 1) % now.h, (i + 1) % now.h
        left, right = (j + now.w - 1) % now.w, (j + 1) % now.w
        around = now[up, left] + now[up, j] + now[up, right] + now[i, left] + now[i, right]
        around = around + now[down, left] + now[down, j] + now[down, right]
        then[i, j] = ((around == 3) | ((around == 2) & (now[i, j] == 1))).u32


def expected(board: np.ndarray) -> np.ndarray:
    """One generation by numpy."""
    moves = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
    around = sum(np.roll(board, move, (0, 1)) for move in moves)
    return ((around == 3) | ((around == 2) & (board == 1))).astype(np.uint32)


def main() -> None:
    board = np.random.default_rng(0).integers(0, 2, (30, 60)).astype(np.uint32)
    resident = sd.array(board)
    for _ in range(100):
        resident = step(resident)
        board = expected(board)
    assert np.array_equal(resident.numpy(), board)
    print("\n".join("".join("#" if cell else "." for cell in row) for row in board))


if __name__ == "__main__":
    main()
