"""Large kernels: tracing and emission are linear, nothing recurses on the user's size, and both compilers accept the text."""

from __future__ import annotations

import itertools
import math
import sys
from types import FrameType

import numpy as np
import pytest

from codegen_tests.scale.sized import SHAPES
from shaderdsl.runtime.validate import naga_refusal, tint_refusal

STEEPEST = 1.05
"""The exponent that calls may grow by: linear, and 5% for what happens once."""
DEEPEST_TEXT = 64


def calls_to_compile(name: str, size: int) -> int:
    """Python calls from the first trace to the text."""
    program = SHAPES[name](size)
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        del frame, argument
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        program.shader()
    finally:
        sys.setprofile(before)
    return calls


def growth(counts: list[int]) -> float:
    """The exponent of growth over a tenfold size."""
    return max(math.log10(b / a) for a, b in itertools.pairwise(counts))


@pytest.mark.parametrize("name", SHAPES)
def test_calls_grow_with_the_size_of_the_kernel(name: str) -> None:
    counts = [calls_to_compile(name, n) for n in (100, 1000, 10000)]
    assert growth(counts) <= STEEPEST, counts


def test_quadratic_growth_would_be_found() -> None:
    assert growth([n * n for n in (100, 1000, 10000)]) > STEEPEST


def nesting(text: str) -> int:
    """The deepest parentheses and brackets of a text."""
    depth = deepest = 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        deepest = max(deepest, depth)
    return deepest


@pytest.mark.parametrize("name", SHAPES)
def test_both_compilers_accept_ten_thousand(name: str) -> None:
    """The driver under naga is quadratic in branches, so the pipeline of the statements is built at a fraction of the size."""
    program = SHAPES[name](10000)
    shader = program.shader()
    assert nesting(shader.text) <= DEEPEST_TEXT
    assert max(line.count(" + ") + line.count(" * ") for line in shader.text.splitlines()) <= DEEPEST_TEXT
    assert tint_refusal(program.wgsl("tint"), [shader.entry_point]) is None
    if name == "statements":
        assert naga_refusal(shader.text) is None
        shader = SHAPES[name](300).shader()
    assert naga_refusal(shader.text, [shader.entry_point]) is None


@pytest.mark.parametrize("name", SHAPES)
def test_ten_thousand_interpret_as_three_hundred_run(name: str, device_name: str) -> None:
    x = np.array([1.0, 0.5, -2.0], np.float32)
    assert SHAPES[name](10000)(x, device="interpreter").shape == x.shape
    program = SHAPES[name](300)
    np.testing.assert_array_equal(program(x, device="interpreter"), program(x, device=device_name))
