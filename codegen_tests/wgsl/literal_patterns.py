"""The bit patterns that the literal tests run over, and the modules of assertions made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from shaderdsl.wgsl.rounding import HALF, SINGLE, FloatFormat, bits_from_float, exact_value, float_from_bits

Bits = NDArray[np.uint32]
Formatter = Callable[[float], str]

LARGEST = SINGLE.largest
SPECIAL = (0x15AE43FD, LARGEST)
A_MODULE = 5_000
EDGE_MANTISSAS = (0, 1, 2, 3, 0x3FFFFF, 0x400000, 0x400001, 0x555555, 0x2AAAAA, 0x7FFFFC, 0x7FFFFD, 0x7FFFFE, 0x7FFFFF)


def all_half_magnitudes() -> list[int]:
    """Every finite f16 without its sign: 31,744."""
    return list(range(HALF.infinity))


def edge_singles() -> list[int]:
    """Every exponent with the mantissas where formatting goes wrong, powers of ten and two with neighbours, the two special values."""
    grid = [field << 23 | mantissa for field in range(255) for mantissa in EDGE_MANTISSAS]
    tens = [bits for power in range(-45, 39) if (bits := bits_from_float(10.0**power, SINGLE)) is not None]
    twos = [bits for power in range(-149, 128) if (bits := bits_from_float(2.0**power, SINGLE)) is not None]
    beside = [bits + step for bits in [*tens, *twos, *SPECIAL] for step in (-2, -1, 0, 1, 2)]
    return sorted({bits for bits in grid + beside if 0 <= bits <= LARGEST})


def singles(count: int, seed: int) -> Bits:
    """The edge patterns and random ones, `count` in all, each magnitude once, with both signs in the mix; -0.0 is left out."""
    edges = np.array(edge_singles(), np.uint32)
    drawn = np.random.default_rng(seed).integers(0, LARGEST, 2 * count, np.uint32, endpoint=True)
    fresh = np.setdiff1d(drawn, edges)
    chosen = np.random.default_rng(seed).permutation(fresh)[: count - len(edges)]
    negative = np.random.default_rng(seed + 1).integers(0, 2, len(chosen), np.uint32)
    return np.concatenate([edges, chosen | negative * np.uint32(SINGLE.sign)])


def modules(patterns: Sequence[int], statement: Callable[[int], str], head: str = "") -> Iterator[str]:
    """Modules of at most 5,000 statements each."""
    for start in range(0, len(patterns), A_MODULE):
        yield head + "\n".join(map(statement, patterns[start : start + A_MODULE]))


def hex_float(bits: int, format: FloatFormat) -> str:
    """The value as an f32 hex literal, which both compilers read exactly: made of whole numbers, by no formatter."""
    value = exact_value(bits, format)
    if value == 0:
        return "0x0p0f"
    zeros = (value.numerator & -value.numerator).bit_length() - 1
    power = zeros + 1 - value.denominator.bit_length()
    return f"{'-' if value < 0 else ''}0x{abs(value.numerator) >> zeros:x}p{power}f"


def tint_single(bits: int, form: Formatter) -> str:
    return f"const_assert bitcast<u32>({form(float_from_bits(bits, SINGLE))}) == {bits}u;"


def naga_single(bits: int, form: Formatter) -> str:
    return f"const_assert {form(float_from_bits(bits, SINGLE))} == {hex_float(bits, SINGLE)};"


def any_half(bits: int, form: Formatter) -> str:
    """f32 holds every f16, and both compilers convert it as a constant."""
    return f"const_assert f32({form(float_from_bits(bits, HALF))}) == {hex_float(bits, HALF)};"


def seven_digits(value: float) -> str:
    """A faulty formatter: seven digits do not tell all f32 apart."""
    return f"{value:.6e}f"


def shortest_single(value: float) -> str:
    """A faulty formatter: the shortest digits that round to the value, which Tint misreads for two values."""
    return np.format_float_scientific(np.float32(value)) + "f"


def shortest_half(value: float) -> str:
    """A faulty formatter: the shortest digits that round to the value, which Tint cuts off."""
    return np.format_float_positional(np.float16(value), trim="0") + "h"
