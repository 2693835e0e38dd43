"""Reading: every form of WGSL's literals with its exact value, what is refused, and the conformance data."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from shaderdsl.errors import ConstantError
from shaderdsl.wgsl.read_literal import Literal, parse_float, read_literal

Record = Callable[[str, object], None]
INFINITIES = {"f32": "7F800000", "f16": "7C00", "f64": "7FF0000000000000"}
SUFFIXES = {"f32": "f", "f16": "h", "f64": ""}
LARGEST_DOUBLE = "larger than 1.7976931348623157e+308"

TYPES_OF_CONTEXT = {
    "abstract_int": {"abstract-int", "i32", "u32"},
    "i32": {"abstract-int", "i32"},
    "u32": {"abstract-int", "u32"},
    "abstract_float": {"abstract-float", "f32", "f16"},
    "f32": {"abstract-int", "abstract-float", "f32"},
    "f16": {"abstract-int", "abstract-float", "f16"},
}
RANGE_OF_CONTEXT = {"abstract_int": (-(2**31), 2**31 - 1), "i32": (-(2**31), 2**31 - 1), "u32": (0, 2**32 - 1)}


def data(folder: Path, name: str) -> list[dict[str, Any]]:
    return json.loads(gzip.decompress((folder / name).read_bytes()))


@pytest.mark.parametrize(
    ("text", "type", "exact", "bits"),
    [
        ("true", "bool", Fraction(1), 1),
        ("false", "bool", Fraction(0), 0),
        ("0", "abstract-int", Fraction(0), 0),
        ("-1", "abstract-int", Fraction(-1), 2**64 - 1),
        ("0xfF", "abstract-int", Fraction(255), 255),
        ("0X10u", "u32", Fraction(16), 16),
        ("-5i", "i32", Fraction(-5), 0xFFFFFFFB),
        ("i32(-2147483648)", "i32", Fraction(-(2**31)), 0x80000000),
        ("4294967295u", "u32", Fraction(2**32 - 1), 0xFFFFFFFF),
        ("0f", "f32", Fraction(0), 0),
        ("1h", "f16", Fraction(1), 0x3C00),
        ("0.1f", "f32", Fraction(1, 10), 0x3DCCCCCD),
        ("-0.1", "abstract-float", Fraction(-1, 10), 0xBFB999999999999A),
        ("00012.", "abstract-float", Fraction(12), 0x4028000000000000),
        (".5e+1h", "f16", Fraction(5), 0x4500),
        ("1E-2f", "f32", Fraction(1, 100), 0x3C23D70A),
        ("0x1.8p3f", "f32", Fraction(12), 0x41400000),
        ("0x.8", "abstract-float", Fraction(1, 2), 0x3FE0000000000000),
        ("0x1.8f", "abstract-float", Fraction(0x18F, 256), 0x3FF8F00000000000),
        ("0xAp-2h", "f16", Fraction(5, 2), 0x4100),
        ("-0.0f", "f32", Fraction(0), 0x80000000),
        ("7.038531e-26f", "f32", Fraction("7.038531e-26"), 0x15AE43FD),
        ("1e-60f", "f32", Fraction(1, 10**60), 0),
        ("bitcast<f32>(0x80000000u | params.zero)", "f32", Fraction(0), 0x80000000),
        ("bitcast<f32>(0x3fc00000u | z)", "f32", Fraction(3, 2), 0x3FC00000),
        ("f16(unpack2x16float(0x8001u | z).x)", "f16", Fraction(-1, 2**24), 0x8001),
    ],
)
def test_forms(text: str, type: str, exact: Fraction, bits: int) -> None:
    literal = read_literal(text)
    assert (literal.type, literal.exact, literal.bits) == (type, exact, bits)
    if type in ("bool", "i32", "u32", "abstract-int"):
        assert literal.value == exact


def test_infinity_and_nan_have_bits_only() -> None:
    literal = read_literal("bitcast<f32>(0x7f800000u | params.zero)")
    assert (literal.value, literal.bits) == (float("inf"), 0x7F800000)
    with pytest.raises(ConstantError, match="inf is not a number"):
        _ = literal.exact


def test_far_exponents_cost_nothing() -> None:
    """They are rounded right without ten thousand million digits."""
    tiny = read_literal("-1e-9999999999f")
    assert tiny.bits == 0x80000000
    with pytest.raises(ConstantError, match="more than 100000 digits"):
        _ = tiny.exact
    with pytest.raises(ConstantError, match="out of the range of f16"):
        read_literal("1e9999999999h")
    assert read_literal("0e9999999999").value == 0.0
    assert read_literal("0." + "0" * 9_999 + "1e10000f").value == 1.0
    assert read_literal("0x1" + "0" * 30_000 + "p-119999f").value == 2.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a WGSL literal"),
        (" 1", "' 1' is not a WGSL literal"),
        ("1\n", "'1\\n' is not a WGSL literal"),
        ("+1", "'+1' is not a WGSL literal"),
        ("--1", "'--1' is not a WGSL literal"),
        ("012", "'012' is not a WGSL literal"),
        ("012f", "'012f' is not a WGSL literal"),
        ("1e", "'1e' is not a WGSL literal"),
        (".", "'.' is not a WGSL literal"),
        ("0x", "'0x' is not a WGSL literal"),
        ("0x.p1", "'0x.p1' is not a WGSL literal"),
        ("0xf.h", "'0xf.h' is not a WGSL literal"),
        ("1.0i", "'1.0i' is not a WGSL literal"),
        ("1_000", "'1_000' is not a WGSL literal"),
        ("٣", "'٣' is not a WGSL literal"),
        ("nan", "'nan' is not a WGSL literal"),
        ("i32(-5)", "'i32(-5)' is not a WGSL literal"),
        ("bitcast<f32>(0x7f800000u)", "'bitcast<f32>(0x7f800000u)' is not a WGSL literal"),
        ("-1u", "'-1u' negates a u32"),
        ("2147483648i", "'2147483648i' is out of the range of i32"),
        ("-2147483648i", "'-2147483648i' is out of the range of i32"),
        ("4294967296u", "'4294967296u' is out of the range of u32"),
        ("9223372036854775808", "'9223372036854775808' is out of the range of abstract-int"),
        ("3.5e38f", "'3.5e38f' is out of the range of f32"),
        ("65520.0h", "'65520.0h' is out of the range of f16"),
        ("1e309", "'1e309' is out of the range of abstract-float"),
        ("0x1.000001p0f", "'0x1.000001p0f' is not exactly an f32"),
        ("0x1p-25h", "'0x1p-25h' is not exactly an f16"),
        ("0x1ffffffffffffffff8.4p0", "'0x1ffffffffffffffff8.4p0' has too many digits"),
        ("0x1p-9223372036854774785", "'0x1p-9223372036854774785' has too large an exponent"),
        ("9" * 70 + "x", f"'{'9' * 57}...' is not a WGSL literal"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(ConstantError) as caught:
        read_literal(text)
    assert caught.value.message == message
    assert caught.value.hints == ("write a literal, such as 0.5f, 2e-4h, 3u, -5i or 0x1p-3f",)


def misread(cases: list[dict[str, Any]], suffixes: dict[str, str]) -> list[tuple[str, str]]:
    """The decimals of the data that are read as other bits than they should, in any of the three formats."""
    wrong: list[tuple[str, str]] = []
    for case in cases:
        for name, suffix in suffixes.items():
            text = case["s"] + suffix
            if not suffix and text.isdigit():
                text += "."
            if bits_or_infinity(text, name) != case[name]:
                wrong.append((text, name))
    return wrong


def bits_or_infinity(text: str, name: str) -> str:
    """The bits as the data write them; an overflow is an error here and infinity there."""
    try:
        return f"{read_literal(text).bits:0{len(INFINITIES[name])}X}"
    except ConstantError as error:
        return INFINITIES[name] if "is out of the range" in error.message else error.message


def test_every_decimal_of_the_data_has_its_bits(data_folder: Path, record_property: Record) -> None:
    cases = data(data_folder, "parse_number.json.gz")
    assert len(cases) == 11_496
    assert misread(cases, SUFFIXES) == []
    record_property("conformance", f"parse_number: {len(cases)}")


def test_a_wrong_format_is_found(data_folder: Path) -> None:
    cases = data(data_folder, "parse_number.json.gz")[:1_000]
    assert len(misread(cases, {"f32": "h"})) > 900


def accepted(text: str, context: str) -> bool:
    """Whether a literal may initialise a variable of the context's type."""
    try:
        literal = read_literal(text)
    except ConstantError:
        return False
    return context not in TYPES_OF_CONTEXT or fits(literal, context)


def fits(literal: Literal, context: str) -> bool:
    if literal.type not in TYPES_OF_CONTEXT[context]:
        return False
    lowest, highest = RANGE_OF_CONTEXT.get(context, (None, None))
    if literal.type != "abstract-int" or lowest is None or highest is None:
        return True
    return lowest <= literal.value <= highest


def test_every_literal_of_the_data_has_its_verdict(data_folder: Path, record_property: Record) -> None:
    cases = data(data_folder, "literal_validity.json.gz")
    assert {case["expected"] for case in cases} == {"ok", "error"}
    wrong = [case for case in cases if accepted(case["literal"], case["context"]) != (case["expected"] == "ok")]
    assert wrong == []
    assert len(cases) == 247
    record_property("conformance", f"literal_validity: {len(cases)}")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0.0),
        ("2e-4", 2e-4),
        ("-.5", -0.5),
        ("+3", 3.0),
        ("007", 7.0),
        ("5.", 5.0),
        (" 1.5\n", 1.5),
        ("1E+3", 1000.0),
        ("0e999", 0.0),
        ("1e-320", 1e-320),
        ("1" * 5_000 + "e-5000", 0.1111111111111111),
    ],
)
def test_parse_float(text: str, value: float) -> None:
    assert parse_float(text) == value


@pytest.mark.parametrize(
    ("text", "message", "column", "label"),
    [
        ("", "'' is not a decimal number", 1, "unexpected"),
        ("  ", "'  ' is not a decimal number", 3, "unexpected"),
        ("nan", "'nan' is not a decimal number", 1, "unexpected"),
        ("-inf", "'-inf' is not a decimal number", 1, "unexpected"),
        ("1_000", "'1_000' is not a decimal number", 2, "unexpected"),
        ("1,5", "'1,5' is not a decimal number", 2, "unexpected"),
        ("0x1p3", "'0x1p3' is not a decimal number", 2, "unexpected"),
        ("2e", "'2e' is not a decimal number", 2, "unexpected"),
        ("2 e-4", "'2 e-4' is not a decimal number", 3, "unexpected"),
        ("1 2", "'1 2' is not a decimal number", 3, "unexpected"),
        ("1.5f", "'1.5f' is not a decimal number", 4, "unexpected"),
        ("1\u00a0", "'1\\xa0' is not a decimal number", 2, "unexpected"),
        ("１", "'１' is not a decimal number", 1, "unexpected"),
        ("1e999", "'1e999' is out of the range of a double", 1, LARGEST_DOUBLE),
        (" -1e999", "' -1e999' is out of the range of a double", 2, LARGEST_DOUBLE),
        ("1e-999", "'1e-999' is out of the range of a double", 1, "not zero, but rounds to zero"),
    ],
)
def test_parse_float_refuses(text: str, message: str, column: int, label: str) -> None:
    with pytest.raises(ConstantError) as caught:
        parse_float(text)
    error = caught.value
    assert error.loc is not None
    assert (error.message, error.loc.span().column, error.label) == (message, column, label)
    assert error.hints == ("write a plain decimal, such as 0.0002 or 2e-4",)


def test_a_refusal_shows_the_place() -> None:
    with pytest.raises(ConstantError) as caught:
        parse_float("2e-4x")
    assert str(caught.value).splitlines() == [
        "<text>:1:5: error: '2e-4x' is not a decimal number [constant]",
        "    1 | 2e-4x",
        "      |     ^ unexpected",
        "help: write a plain decimal, such as 0.0002 or 2e-4",
    ]
