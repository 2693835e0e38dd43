"""Formulas of the literature as users write them, each with a way to draw arguments and, for most, its direct meaning in numpy.

case = animal("y[...] = x[...] * tanh(softplus(x[...]))", lambda x: x * np.tanh(np.logaddexp(x, 0)), x="n 5")
case.draw(np.random.default_rng(0), 3)         # {"x": an array of shape (3, 5)}

Shapes are written in terms of a size n: "n 2n n+1 3". Before a colon stands how the elements are drawn: "positive", "unit",
"spread" (no two near each other), "below 7" (whole numbers), "order" (a permutation along the last axis).
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = Any
Drawing = str | int | float


@dataclass(frozen=True)
class Animal:
    """One formula. meaning: from the arguments to the output, or to outputs by name; None where only laws hold it."""

    formula: str
    meaning: Callable[..., Any] | None
    draws: Mapping[str, Drawing]
    library: Mapping[str, str]

    def draw(self, random: np.random.Generator, n: int) -> dict[str, Any]:
        """Arguments whose sizes derive from n."""
        return {k: drawn(random, n, v) if isinstance(v, str) else v for k, v in self.draws.items()}

    def expected(self, arguments: Mapping[str, Any], outputs: tuple[str, ...]) -> dict[str, Array]:
        """The outputs by the direct meaning."""
        if self.meaning is None:
            return {}
        found = self.meaning(**arguments)
        return dict(found) if isinstance(found, dict) else {outputs[0]: np.asarray(found)}


def animal(
    formula: str,
    meaning: Callable[..., Any] | None = None,
    library: Mapping[str, str] | None = None,
    /,
    **draws: Drawing,
) -> Animal:
    """library: formulas that lines may call, by name."""
    return Animal(formula, meaning, draws, library or {})


def extent(text: str, n: int) -> int:
    """`2n+1` for a size."""
    found = re.fullmatch(r"(\d*)(n?)(?:\+(\d+))?", text)
    assert found is not None, text
    factor, letter, more = found.groups()
    return int(factor or 1) * (n if letter else 1) + int(more or 0)


def drawn(random: np.random.Generator, n: int, text: str) -> Array:
    """An array as a drawing says."""
    kind, _, axes = text.rpartition(":")
    shape = tuple(extent(t, n) for t in axes.split())
    match kind.split():
        case ["positive"]:
            return random.uniform(0.3, 2.0, shape)
        case ["unit"]:
            return random.uniform(0.1, 0.9, shape)
        case ["spread"]:
            count = int(np.prod(shape, dtype=int))
            return (random.permutation(count).reshape(shape) - count / 2 + 0.3) * (2.0 / max(count, 2))
        case ["order"]:
            return random.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
        case ["below", most]:
            return random.integers(0, extent(most, n), shape)
        case _:
            return random.normal(size=shape)


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def softplus(x: Array) -> Array:
    return np.logaddexp(x, 0)


def softmax(x: Array, axis: int = -1) -> Array:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def logsumexp(x: Array, axis: Any = -1) -> Array:
    m = x.max(axis=axis, keepdims=True)
    return np.squeeze(m + np.log(np.exp(x - m).sum(axis=axis, keepdims=True)), axis)


def unit(x: Array) -> Array:
    """Rows of length 1."""
    return x / np.sqrt((x * x).sum(-1, keepdims=True))
