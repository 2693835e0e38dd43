"""Long formulas: what a derivation does grows with the number of stages, not with the number of paths through them."""

from __future__ import annotations

import cProfile
import itertools
import math
import pstats

import pytest

from shaderdsl.spec.derive import vjp
from shaderdsl.spec.parse import parse_spec

SIZES = (25, 50, 100, 200)
STEEPEST = 1.3
"""The exponent that calls may grow by: linear, and what sympy's sums cost."""
SHAPES = {
    "residual": "a{n}[i] = a{before}[i] * 0.9 + a{two}[i] * 0.1 * x[i]",
    "waves": "a{n}[i] = sin(a{before}[i]) * 1.1",
    "products": "a{n}[i] = a{before}[i] * x[i]",
    "rows": "a{n}[i] = sum(j) w[i, j] * a{before}[j]",
}


def chain(line: str, size: int) -> str:
    """A formula of `size` stages, each of the one or two before."""
    lines = [line.format(n=n, before=n - 1, two=max(n - 2, 0)) for n in range(1, size + 1)]
    return "\n".join(["a0[i] = x[i]", *lines])


def calls_to_derive(formula: str) -> int:
    spec = parse_spec("chain", formula)
    with cProfile.Profile() as profile:
        vjp(spec)
    return sum(found[1] for found in vars(pstats.Stats(profile))["stats"].values())


def growth(counts: list[int]) -> float:
    """The largest exponent of growth over a doubled size."""
    return max(math.log2(b / a) for a, b in itertools.pairwise(counts))


@pytest.mark.parametrize("name", SHAPES)
def test_calls_grow_with_the_number_of_stages(name: str) -> None:
    calls_to_derive("y[i] = x[i]")  # what is done once
    counts = [calls_to_derive(chain(SHAPES[name], size)) for size in SIZES]
    assert growth(counts) <= STEEPEST, counts


def test_growth_by_paths_would_be_found() -> None:
    assert growth([n * n for n in SIZES]) > STEEPEST
