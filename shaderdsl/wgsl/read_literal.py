"""Text as numbers, whole or not at all: WGSL's literals in exact arithmetic, and the decimals that people type.

read_literal("0.1f").bits == 0x3DCCCCCD
read_literal("0x1.8p1").value == 3.0
parse_float("2e-4") == 0.0002

A decimal is rounded once, to nearest with ties to even; naga does the same, Tint does not always (`wgsl.literals` says where).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from shaderdsl.errors import ConstantError
from shaderdsl.source import Span
from shaderdsl.wgsl.rounding import DOUBLE, HALF, SINGLE, FloatFormat, exact_value, float_from_bits, nearest

LONGEST_EXACT = 100_000
"""Exponents beyond this are rounded right, but not expanded into a Fraction of as many digits."""
DECIMAL_HINT = "write a plain decimal, such as 0.0002 or 2e-4"
LITERAL_HINT = "write a literal, such as 0.5f, 2e-4h, 3u, -5i or 0x1p-3f"
HEX_SIGNIFICAND_BITS = 65
HEX_EXPONENT_LIMIT = 2**63 - 1024

USER_FLOAT = re.compile(r"[ \t\r\n]*(?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)?[ \t\r\n]*")

BOOLEAN = re.compile(r"true|false")
INTEGER = re.compile(r"(?P<minus>-?)(?:(?P<decimal>0|[1-9][0-9]*)|0[xX](?P<hex>[0-9a-fA-F]+))(?P<suffix>[iu]?)")
DECIMAL_FLOAT = re.compile(
    r"""(?P<minus>-?)(?:
        (?P<short>0|[1-9][0-9]*)(?=[fh]$)
      | (?P<whole>[0-9]*)\.(?P<fraction>[0-9]+)(?:[eE](?P<power1>[+-]?[0-9]+))?
      | (?P<whole2>[0-9]+)\.(?:[eE](?P<power2>[+-]?[0-9]+))?
      | (?P<whole3>[0-9]+)[eE](?P<power3>[+-]?[0-9]+)
    )(?P<suffix>[fh]?)""",
    re.VERBOSE,
)
HEX_FLOAT = re.compile(
    r"""(?P<minus>-?)0[xX](?=\.?[0-9a-fA-F])(?P<whole>[0-9a-fA-F]*)(?:
        \.(?P<fraction>[0-9a-fA-F]*)(?:[pP](?P<power1>[+-]?[0-9]+)(?P<suffix1>[fh]?))?
      | [pP](?P<power2>[+-]?[0-9]+)(?P<suffix2>[fh]?)
    )""",
    re.VERBOSE,
)
NAME = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
LOWEST_I32 = "i32(-2147483648)"
SINGLE_BITS = re.compile(rf"bitcast<f32>\(0x(?P<bits>[0-9a-fA-F]{{1,8}})u \| {NAME}\)")
HALF_BITS = re.compile(rf"f16\(unpack2x16float\(0x(?P<bits>[0-9a-fA-F]{{1,4}})u \| {NAME}\)\.x\)")

FORMAT_OF_SUFFIX = {"f": SINGLE, "h": HALF, "": DOUBLE}
INTEGER_OF_SUFFIX = {"i": ("i32", 32), "u": ("u32", 32), "": ("abstract-int", 64)}


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A piece of a one-line text that a user gave, columns counted from 0."""

    text: str
    start: int
    end: int

    def span(self) -> Span:
        line = self.text.replace("\n", " ").replace("\r", " ")
        return Span("<text>", 1, self.start + 1, 1, self.end + 1, line)


@dataclass(frozen=True, slots=True)
class Literal:
    """What a literal means: `type` is WGSL's name for it ("f32", "abstract-int"), `value` is rounded to that type, `bits` are its own.

    The number as written is `significand * base**exponent`. Bits of an abstract-int are 64, in two's complement, of an abstract-float a double's.
    """

    type: str
    value: bool | int | float
    bits: int
    significand: int
    base: int = 10
    exponent: int = 0

    @property
    def exact(self) -> Fraction:
        """The number as written, before rounding; a ConstantError for inf and NaN, and where it has more than 100,000 digits."""
        if isinstance(self.value, float) and not math.isfinite(self.value):
            raise ConstantError(f"{self.value} is not a number", hints=["look at bits"])
        if self.significand == 0:
            return Fraction(0)
        if abs(self.exponent) > LONGEST_EXACT:
            raise ConstantError(f"the number has more than {LONGEST_EXACT} digits", hints=["look at value or bits"])
        return self.significand * Fraction(self.base) ** self.exponent


def parse_float(text: str) -> float:
    """A decimal that a person typed: `parse_float("2e-4")`, `"-.5"`, `"+3"`, with ASCII white space around it, rounded to a double.

    Raises ConstantError for all else: empty text, words (`nan`, `inf`), hex, underscores, a second number, what overflows to
    infinity, and what is not zero but would become zero.
    """
    match = USER_FLOAT.match(text)
    end = match.end() if match else 0
    if match is None or match["number"] is None or end != len(text):
        place = TextPlace(text, end, max(len(text), end + 1))
        raise refusal(text, "is not a decimal number", place, "unexpected", DECIMAL_HINT)
    value = float(match["number"])
    place = TextPlace(text, match.start("number"), match.end("number"))
    if math.isinf(value):
        raise refusal(
            text, "is out of the range of a double", place, "larger than 1.7976931348623157e+308", DECIMAL_HINT
        )
    if value == 0 and re.search("[1-9]", match["number"].lower().partition("e")[0]):
        raise refusal(text, "is out of the range of a double", place, "not zero, but rounds to zero", DECIMAL_HINT)
    return value


def read_literal(text: str) -> Literal:
    """The literal that `text` is, whole: every form of WGSL's grammar, a minus before it, and the explicit forms of `wgsl.literals`.

    read_literal("-5i"), read_literal("0x1.8p3h"), read_literal("i32(-2147483648)"), read_literal("bitcast<f32>(0x7f800000u | params.zero)")

    Raises ConstantError for all else, and where WGSL does: out of range, or a hex float that its type does not hold exactly.
    """
    if BOOLEAN.fullmatch(text):
        return Literal("bool", text == "true", int(text == "true"), int(text == "true"))
    if match := INTEGER.fullmatch(text):
        return read_integer(match)
    if match := DECIMAL_FLOAT.fullmatch(text):
        return read_decimal(match)
    if match := HEX_FLOAT.fullmatch(text):
        return read_hex(match)
    return read_explicit(text)


def read_explicit(text: str) -> Literal:
    """The forms that are no literals in WGSL's grammar, but that stand for one value."""
    if text == LOWEST_I32:
        return Literal("i32", -(2**31), 2**31, -(2**31))
    if match := SINGLE_BITS.fullmatch(text):
        return from_bits(int(match["bits"], 16), SINGLE)
    if match := HALF_BITS.fullmatch(text):
        return from_bits(int(match["bits"], 16), HALF)
    raise refusal(text, "is not a WGSL literal", TextPlace(text, 0, max(len(text), 1)), "not a literal", LITERAL_HINT)


def from_bits(bits: int, format: FloatFormat) -> Literal:
    """The literal with these bits, in the explicit form that any bits have."""
    value = float_from_bits(bits, format)
    if not math.isfinite(value):
        return Literal(format.name, value, bits, 0)
    exact = exact_value(bits, format)
    power = exact.denominator.bit_length() - 1
    return Literal(format.name, value, bits, exact.numerator, 2, -power)


def read_integer(match: re.Match[str]) -> Literal:
    """A decimal or hex integer; the literal itself must be in range before a minus is applied to it."""
    name, width = INTEGER_OF_SUFFIX[match["suffix"]]
    magnitude = int(match["hex"], 16) if match["hex"] else digits_to_int(match["decimal"])
    if match["minus"] and name == "u32":
        raise refused(match, "negates a u32", "a u32 has no sign")
    highest = 2**32 - 1 if name == "u32" else 2 ** (width - 1) - 1
    if magnitude > highest:
        raise refused(match, f"is out of the range of {name}", f"larger than {highest}")
    number = -magnitude if match["minus"] else magnitude
    return Literal(name, number, number & (2**width - 1), number)


def read_decimal(match: re.Match[str]) -> Literal:
    whole = match["short"] or match["whole"] or match["whole2"] or match["whole3"] or ""
    fraction = match["fraction"] or ""
    power = match["power1"] or match["power2"] or match["power3"] or "0"
    exponent = digits_to_int(power) - len(fraction)
    return read_float(match, match["suffix"], digits_to_int(whole + fraction), 10, exponent)


def read_hex(match: re.Match[str]) -> Literal:
    """A hex float: exact in f32 and f16 or an error; as an abstract-float rounded, from at most 65 bits, which is Tint's limit."""
    fraction = match["fraction"] or ""
    suffix = match["suffix1"] or match["suffix2"] or ""
    power = digits_to_int(match["power1"] or match["power2"] or "0")
    significand = int(match["whole"] + fraction, 16)
    if significand and abs(power) > HEX_EXPONENT_LIMIT:
        raise refused(match, "has too large an exponent", f"beyond {HEX_EXPONENT_LIMIT}")
    zeros = max((significand & -significand).bit_length() - 1, 0)
    if (significand >> zeros).bit_length() > HEX_SIGNIFICAND_BITS:
        raise refused(match, "has too many digits", f"more than {HEX_SIGNIFICAND_BITS} bits")
    literal = read_float(match, suffix, significand >> zeros, 2, power - 4 * len(fraction) + zeros)
    if suffix and not is_exact(literal, FORMAT_OF_SUFFIX[suffix]):
        raise refused(match, f"is not exactly an {literal.type}", "has too many bits")
    return literal


def read_float(match: re.Match[str], suffix: str, significand: int, base: int, exponent: int) -> Literal:
    """The number rounded to the suffix's format, with the minus that stood before it."""
    target = FORMAT_OF_SUFFIX[suffix]
    bits = nearest_scaled(significand, base, exponent, target)
    if bits is None:
        largest = float_from_bits(target.largest, target)
        raise refused(match, f"is out of the range of {target.name}", f"larger than {largest!r}")
    if match["minus"]:
        bits, significand = bits | target.sign, -significand
    return Literal(target.name, float_from_bits(bits, target), bits, significand, base, exponent)


def nearest_scaled(significand: int, base: int, exponent: int, format: FloatFormat) -> int | None:
    """The bits nearest to `significand * base**exponent` for any exponent; the far ones are settled without expanding them."""
    if significand == 0:
        return 0
    # 2**lower <= number < 2**(lower + size), by 3 < log2(10) < 4; nothing beyond 2**2000 or below 2**-2000 is near any format's range.
    size = significand.bit_length()
    if exponent > 0 and size + exponent > 2000:
        return None
    if exponent < 0 and size + exponent * (3 if base == 10 else 1) < -2000:
        return 0
    return nearest(significand * Fraction(base) ** exponent, format)


def is_exact(literal: Literal, format: FloatFormat) -> bool:
    """Whether rounding changed nothing."""
    if literal.significand == 0:
        return True
    if literal.value == 0:
        return False
    return literal.exact == exact_value(literal.bits, format)


def digits_to_int(digits: str) -> int:
    """`int(digits)` for any length: Python's own refuses more than 4,300 digits."""
    return int(Decimal(digits))


def refused(match: re.Match[str], reason: str, label: str) -> ConstantError:
    """The error for a text that has a literal's form, but no legal value."""
    return refusal(match.string, reason, TextPlace(match.string, 0, len(match.string)), label, LITERAL_HINT)


def refusal(text: str, reason: str, place: TextPlace, label: str, hint: str) -> ConstantError:
    """The error for a text that is not taken: a long one is shortened in the message and whole in the excerpt."""
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    return ConstantError(f"{shown!r} {reason}", place, label=label, hints=[hint])
