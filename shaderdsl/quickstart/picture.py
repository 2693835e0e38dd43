"""A few digits as text: four shades a pixel, side by side, with what they were taken for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BLOCKS = "  ░░▒▒▓▓██"
LETTERS = "  ..++**##"


def picture(
    images: NDArray[np.float64], predicted: NDArray[np.int64], labels: NDArray[np.int64], *, plain: bool
) -> str:
    """Images of shape (n, 8, 8) with values 0 to 16 in a row; `plain` keeps to ASCII. A wrong prediction shows the right digit too."""
    shades = LETTERS if plain else BLOCKS
    pairs = [shades[i : i + 2] for i in range(0, len(shades), 2)]
    levels: list[list[list[int]]] = np.clip(images / 16 * len(pairs), 0, len(pairs) - 1).astype(int).tolist()
    rows = ["  ".join("".join(pairs[v] for v in image[y]) for image in levels) for y in range(images.shape[1])]
    captions = "  ".join(caption(int(p), int(t)).center(16) for p, t in zip(predicted, labels))
    return "\n".join([*rows, captions.rstrip()])


def caption(predicted: int, label: int) -> str:
    return str(predicted) if predicted == label else f"{predicted} (is {label})"
