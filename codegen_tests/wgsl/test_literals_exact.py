"""Two million f32 and every f16 against exact arithmetic: the text rounds to the value, and no text with fewer digits does.

Nothing here trusts a parser that rounds twice. `float(text)` is the double nearest to the decimal, and the middle between two neighbouring f32
is a double. So where the double lies strictly between the two middles around a value, the decimal does too; only where it falls on a
middle are fractions needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from codegen_tests.wgsl.literal_patterns import (
    SPECIAL,
    Bits,
    Formatter,
    all_half_magnitudes,
    edge_singles,
    seven_digits,
    shortest_half,
    shortest_single,
    singles,
)
from shaderdsl.testing.literals import tint_reading
from shaderdsl.wgsl.literals import format_f16, format_f32, half_digits
from shaderdsl.wgsl.read_literal import read_literal
from shaderdsl.wgsl.rounding import HALF, SINGLE, exact_value, float_from_bits, nearest

SINGLES = 2_010_000
Doubles = NDArray[np.float64]
Record = Callable[[str, object], None]


def middles(magnitudes: Bits) -> tuple[Doubles, Doubles]:
    """The middles below and above each value, exact in double: beyond the largest value the spacing goes on, below zero it mirrors."""
    values = magnitudes.view(np.float32).astype(np.float64)
    following = np.minimum(magnitudes + np.uint32(1), np.uint32(SINGLE.largest)).view(np.float32).astype(np.float64)
    upper = np.where(magnitudes == SINGLE.largest, values + 2.0**103, (values + following) / 2)
    preceding = np.maximum(magnitudes, np.uint32(1)) - np.uint32(1)
    lower = np.where(magnitudes == 0, -(2.0**-150), (values + preceding.view(np.float32).astype(np.float64)) / 2)
    return lower, upper


def wrong_singles(patterns: Bits, texts: Sequence[str]) -> list[str]:
    """The texts that do not round to their pattern."""
    magnitudes = patterns & np.uint32(0x7FFFFFFF)
    lower, upper = middles(magnitudes)
    bare = [text.lstrip("-")[:-1] for text in texts]
    read = np.array([float(text) for text in bare])
    signs_differ = np.array([text.startswith("-") for text in texts]) != (patterns >> 31 == 1)
    outside = (read < lower) | (read > upper) | signs_differ
    on_a_middle = indices(~outside & ((read == lower) | (read == upper)))
    missed = [i for i in on_a_middle if nearest(Fraction(bare[i]), SINGLE) != int(magnitudes[i])]
    return [texts[i] for i in indices(outside) + missed]


def shortenable(patterns: Bits, texts: Sequence[str]) -> list[str]:
    """The texts for which one digit fewer would have done, cut off or gone up from there."""
    magnitudes = patterns & np.uint32(0x7FFFFFFF)
    lower, upper = middles(magnitudes)
    found: list[str] = []
    shorter = [neighbours(text) for text in texts]
    for side in (0, 1):
        read = np.array([float(pair[side]) for pair in shorter])
        near = indices((read >= lower) & (read <= upper) & (magnitudes > 0))
        found += [texts[i] for i in near if both_read(shorter[i][side], int(magnitudes[i]))]
    return found


def neighbours(text: str) -> tuple[str, str]:
    """The two decimals with one digit fewer around a literal."""
    parts = Decimal(text.lstrip("-")[:-1]).as_tuple()
    digits = "".join(map(str, parts.digits))
    significant = digits.rstrip("0") or "0"
    scale = int(parts.exponent) + len(digits) - len(significant) + 1
    return f"{significant[:-1] or 0}e{scale}", f"{int(significant[:-1] or 0) + 1}e{scale}"


def both_read(decimal: str, magnitude: int) -> bool:
    """Whether exact rounding and Tint both make the value of a decimal."""
    return nearest(Fraction(decimal), SINGLE) == magnitude == tint_reading(float(decimal), SINGLE)


def indices(mask: NDArray[np.bool_]) -> list[int]:
    return [int(i) for i in np.flatnonzero(mask)]


def formatted(patterns: Bits, form: Formatter) -> list[str]:
    return [form(value) for value in patterns.view(np.float32).tolist()]


def wasteful(value: float) -> str:
    """A formatter that is right and too long: nine digits tell all f32 apart."""
    return f"{value:.8e}f"


@pytest.fixture(scope="module")
def chunk() -> tuple[Bits, list[str]]:
    """50,000 patterns with their texts."""
    patterns = singles(50_000, seed=11)
    return patterns, formatted(patterns, format_f32)


def test_two_million_singles_round_to_themselves(record_property: Record) -> None:
    patterns = singles(SINGLES, seed=100)
    assert len(np.unique(patterns & np.uint32(0x7FFFFFFF))) == SINGLES
    for part in np.array_split(patterns, 8):
        assert wrong_singles(part, formatted(part, format_f32)) == []
    record_property("conformance", f"f32 literals against exact arithmetic: {SINGLES}")


def test_no_digit_is_wasted(chunk: tuple[Bits, list[str]]) -> None:
    """Fewer digits never do for all readers, not even for the two values whose shortest form Tint does not read."""
    assert shortenable(*chunk) == []
    assert [format_f32(float_from_bits(bits, SINGLE)) for bits in SPECIAL] == ["7.0385307e-26f", "3.4028234e38f"]


def test_singles_against_fractions_alone(chunk: tuple[Bits, list[str]]) -> None:
    """The same without any float, on the edges: the shortcut above and the reader agree with it."""
    patterns = edge_singles()
    for bits in patterns:
        text = format_f32(float_from_bits(bits, SINGLE))
        assert nearest(Fraction(text[:-1]), SINGLE) == bits == read_literal(text).bits
    assert len(patterns) > 3_800
    assert wrong_singles(*chunk) == []


def test_tint_reads_every_single(chunk: tuple[Bits, list[str]]) -> None:
    """Through a double, nothing above the largest."""
    patterns, texts = chunk
    assert [tint_reading(float(text[:-1]), SINGLE) for text in texts] == patterns.tolist()


def test_all_halves_lie_where_cutting_off_and_rounding_agree(record_property: Record) -> None:
    """Each decimal is in [value, value + ulp/2), and one digit fewer leaves no decimal in there."""
    checked = 0
    for bits in all_half_magnitudes()[1:-1]:
        value, following = exact_value(bits, HALF), exact_value(bits + 1, HALF)
        text = format_f16(float_from_bits(bits, HALF))
        assert value <= Fraction(text[:-1]) < (value + following) / 2
        digits, exponent = half_digits(bits)
        step = Fraction(10) ** (exponent - len(digits) + 2)
        assert -(-value // step) * step >= (value + following) / 2
        checked += 1
    assert format_f16(65504.0) == "65504.0h"
    assert checked == 31_742
    record_property("conformance", f"f16 literals against exact arithmetic: {checked + 2}")


def test_seven_digits_are_found(chunk: tuple[Bits, list[str]]) -> None:
    """Between half and three quarters of all f32 need more."""
    patterns, _ = chunk
    wrong = wrong_singles(patterns, formatted(patterns, seven_digits))
    assert 0.5 < len(wrong) / len(patterns) < 0.75


def test_a_lost_sign_is_found(chunk: tuple[Bits, list[str]]) -> None:
    patterns, texts = chunk
    negative = int((patterns >> 31).sum())
    assert len(wrong_singles(patterns, [text.lstrip("-") for text in texts])) == negative > 10_000


def test_wasted_digits_are_found(chunk: tuple[Bits, list[str]]) -> None:
    patterns, _ = chunk
    texts = formatted(patterns, wasteful)
    assert wrong_singles(patterns, texts) == []
    assert len(shortenable(patterns, texts)) > len(patterns) / 4


def test_a_shortest_form_that_tint_misreads_is_found() -> None:
    texts = [shortest_single(float_from_bits(bits, SINGLE)) for bits in SPECIAL]
    assert [tint_reading(float(text[:-1]), SINGLE) for text in texts] == [SPECIAL[0] + 1, None]


def test_shortest_halves_that_tint_cuts_off_are_found() -> None:
    values = [(bits, float_from_bits(bits, HALF)) for bits in all_half_magnitudes()]
    misread = [bits for bits, value in values if tint_reading(float(shortest_half(value)[:-1]), HALF) != bits]
    assert len(misread) == 12_849
