"""The data: scikit-learn's 1,797 handwritten digits, shuffled and split the same way everywhere."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

TRAINING = 1500
SCALE = 64.0


class MissingPackage(Exception):  # noqa: N818 (named for what is wrong)
    """A package that the quickstart needs and that is not installed."""


@dataclass(frozen=True, slots=True, eq=False)
class Digits:
    """keys (1500, 64) and queries (297, 64), rows of unit length, f32; one-hot values (1500, 10); labels and pictures of the queries."""

    keys: NDArray[np.float32]
    values: NDArray[np.float32]
    queries: NDArray[np.float32]
    labels: NDArray[np.int64]
    pictures: NDArray[np.float64]


def load_digits() -> Digits:
    """Shuffled by `default_rng(0).permutation`: the first 1,500 are keys, the other 297 queries."""
    try:
        datasets = importlib.import_module("sklearn.datasets")
    except ImportError as error:
        raise MissingPackage("scikit-learn") from error
    data: Any = datasets.load_digits()
    order = np.random.default_rng(0).permutation(len(data.target))
    features = np.asarray(data.data, np.float64)[order]
    targets = np.asarray(data.target, np.int64)[order]
    unit = (features / np.linalg.norm(features, axis=1, keepdims=True)).astype(np.float32)
    one_hot = np.eye(10, dtype=np.float32)[targets[:TRAINING]]
    pictures = features[TRAINING:].reshape(-1, 8, 8)
    return Digits(unit[:TRAINING], one_hot, unit[TRAINING:], targets[TRAINING:], pictures)


def reference(digits: Digits) -> NDArray[np.float64]:
    """The same attention in float64 numpy: shape (297, 10)."""
    scores = SCALE * digits.queries.astype(np.float64) @ digits.keys.astype(np.float64).T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights @ digits.values.astype(np.float64) / weights.sum(axis=1, keepdims=True)
