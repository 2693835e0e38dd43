"""A picture of where gradients are off: a heat map of each one's errors, with its worst element marked.

plot("softmax", report.faults, "where.png")
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np

from shaderdsl.errors import LaunchError
from shaderdsl.testing.faults import Fault
from shaderdsl.testing.samples import Array

COLUMNS = 64
"""A longer row is broken into rows."""
LEAST, RANGE = 1e-17, 1e-6
"""What counts as no error on the logarithmic scale, and beside the largest one."""


def plot(name: str, faults: Sequence[Fault], path: str | PathLike[str]) -> None:
    """Write the picture; the name of the file says its format."""
    if not faults:
        raise LaunchError(f"{name} has no gradients to plot", hints=["check an op with float inputs"])
    try:
        figures = importlib.import_module("matplotlib.figure")
    except ImportError:
        raise LaunchError("a plot needs matplotlib", hints=['pip install "shaderdsl[plot]"']) from None
    grids = [grid(f.errors) for f in faults]
    heights = [max(1.4, 0.3 * len(g)) for g in grids]
    figure: Any = figures.Figure(figsize=(8, 0.8 + sum(h + 0.9 for h in heights)), layout="constrained")
    axes = figure.subplots(len(faults), 1, squeeze=False, height_ratios=heights)[:, 0]
    figure.suptitle(f"{name}: errors of gradients at the worst point")
    for axis, fault, cells in zip(axes, faults, grids):
        draw(figure, axis, fault, cells)
    figure.savefig(path, dpi=120)


def draw(figure: Any, axis: Any, fault: Fault, cells: Array) -> None:
    """One gradient."""
    most = max(float(np.nanmax(cells, initial=0.0)), LEAST)
    shown = np.ma.masked_invalid(np.log10(np.maximum(cells, most * RANGE)))
    image = axis.imshow(shown, cmap="magma", aspect="auto", interpolation="nearest", vmax=math.log10(most))
    row, column = divmod(flat_place(fault), cells.shape[1])
    axis.plot([column], [row], "o", mfc="none", mec="cyan", mew=2, ms=12)
    word = (
        fault.where
        if fault.share > 1
        else f"{fault.element} is {abs(fault.got - fault.expected):.1g} off, which is allowed"
    )
    axis.set_title(f"{word}\n{fault.shapes}", fontsize=9)
    axis.set_xlabel(along(fault.errors.shape), fontsize=8)
    axis.xaxis.get_major_locator().set_params(integer=True)
    axis.yaxis.get_major_locator().set_params(integer=True)
    if len(cells) == 1:
        axis.set_yticks([])
    figure.colorbar(image, ax=axis, label="log10 of the error")


def flat_place(fault: Fault) -> int:
    return int(np.ravel_multi_index(fault.place, fault.errors.shape)) if fault.place else 0


def along(shape: tuple[int, ...]) -> str:
    """What the columns of the picture are."""
    if len(shape) < 2:
        return "elements in order"
    return (
        f"axis {len(shape) - 1}, rows are axis 0"
        if len(shape) == 2
        else f"axis {len(shape) - 1}, rows are all axes before it"
    )


def grid(errors: Array) -> Array:
    """Errors as rows and columns; what is not there is NaN."""
    size = np.abs(np.atleast_1d(np.asarray(errors, np.float64)))
    if size.ndim > 1:
        return size.reshape(-1, size.shape[-1])
    columns = min(size.size, COLUMNS)
    rows = math.ceil(size.size / columns)
    return np.concatenate([size, np.full(rows * columns - size.size, np.nan)]).reshape(rows, columns)
