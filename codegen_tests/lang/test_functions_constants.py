"""Builtins of constants: folded while tracing by the interpreter's own meaning, or refused where a compiler would refuse them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

import pytest

import shaderdsl as sd
from shaderdsl import ConstantError, KernelTypeError, ShaderError, f16, f32, i32, u32
from shaderdsl.ir.stmt import Let, Store
from shaderdsl.ir.walk import statements


def traced(make: Callable[[], Any]) -> sd.KernelProgram:
    """A kernel that stores what `make` gives."""

    @sd.kernel
    def constants(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
        with k.each(x.n) as i:
            y[i] = make().f32

    return constants


def stored(make: Callable[[], Any]) -> str:
    """The text of what a kernel stores."""
    lines = traced(make).wgsl().splitlines()
    (line,) = [text.strip() for text in lines if text.strip().startswith("y[i] = ")]
    return line.removeprefix("y[i] = ").removesuffix(";")


FOLDED: list[tuple[Callable[[], Any], str]] = [
    (lambda: sd.exp(f32(0)), "1.0f"),
    (lambda: sd.max(f32(2), 3), "3.0f"),
    (lambda: sd.clamp(i32(7), 0, 5), "5.0f"),
    (lambda: sd.sqrt(f32(0.25)), "0.5f"),
    (lambda: sd.floor(f32(-0.5)), "-1.0f"),
    (lambda: sd.dot(sd.vec2f(1, 2), sd.vec2f(3, 4)), "11.0f"),
    (lambda: sd.count_one_bits(u32(255)), "8.0f"),
    (lambda: sd.extract_bits(u32(0xF0), 4, 4), "15.0f"),
    (lambda: sd.pack4x8_unorm(sd.vec4f(1, 0, 0, 0)), "255.0f"),
    (lambda: sd.select(f32(1), 2, sd.any(sd.vec2f(1, 2) < sd.vec2f(2, 1))), "2.0f"),
    (lambda: sd.where(sd.all(sd.vec2f(1, 2) < sd.vec2f(2, 1)), f32(1), 2), "2.0f"),
    (lambda: sd.is_nan(f32(1)), "0.0f"),
    (lambda: sd.is_finite(f16(1)), "1.0f"),
    (lambda: sd.bitcast(f32(1), u32) >> 23, "127.0f"),
    (lambda: sd.float_bits(0x40490FDB, f32), "3.1415927f"),
    (lambda: sd.float_bits(0x3555, f16), "0.33325195f"),
    (lambda: sd.lowest(f16), "-65504.0f"),
    (lambda: sd.largest(f32), "3.4028234e38f"),
    (lambda: sd.div_floor(i32(-7), 3), "-3.0f"),
    (lambda: sd.mod_floor(i32(-7), 3), "2.0f"),
    (lambda: sd.div_trunc(i32(-7), 3), "-2.0f"),
    (lambda: sd.mod_trunc(i32(-7), 3), "-1.0f"),
    (lambda: sd.div_floor(i32(-(2**31)), -1), "-2147483600.0f"),
    (lambda: sd.mod_floor(f32(-0.5), 2), "1.5f"),
    (lambda: sd.tanh(f32(100)), "1.0f"),
    (lambda: sd.sigmoid(f32(0)), "0.5f"),
    (lambda: sd.softplus(f32(100)), "100.0f"),
    (lambda: sd.silu(f32(0)), "0.0f"),
    (lambda: sd.ldexp(f32(0.5), 3), "4.0f"),
    (lambda: sd.determinant(sd.mat2x2f(1, 0, 0, 3)), "3.0f"),
]


@pytest.mark.parametrize(("make", "text"), FOLDED, ids=[text for _, text in FOLDED])
def test_constants_fold(make: Callable[[], Any], text: str) -> None:
    assert stored(make) == text


def test_a_folded_constant_leaves_no_statement() -> None:
    body = traced(lambda: sd.exp(f32(0))).trace().body
    values = [s for s in statements(body) if isinstance(s, Let | Store)]
    assert isinstance(values[-1], Store)
    assert not any(isinstance(s, Let) and "exp" in str(s.value) for s in values)


loose: Any = sd
"""The public functions without their types, which refuse most of what follows before it runs."""

NOT_FINITE = "this constant expression is not finite in f32"
REFUSED: list[tuple[Callable[[], Any], type[ShaderError], str]] = [
    (lambda: loose.log(f32(-1)), ConstantError, NOT_FINITE),
    (lambda: loose.log(f32(0)), ConstantError, NOT_FINITE),
    (lambda: loose.log2(f32(0)), ConstantError, NOT_FINITE),
    (lambda: loose.sqrt(f32(-1)), ConstantError, NOT_FINITE),
    (lambda: loose.inverse_sqrt(f32(0)), ConstantError, NOT_FINITE),
    (lambda: loose.exp(f32(100)), ConstantError, NOT_FINITE),
    (lambda: loose.exp(f16(12)), ConstantError, "this constant expression is not finite in f16"),
    (lambda: loose.pow(f32(-1), 0.5), ConstantError, NOT_FINITE),
    (lambda: loose.asin(f32(2)), ConstantError, NOT_FINITE),
    (lambda: loose.acosh(f32(0.5)), ConstantError, NOT_FINITE),
    (lambda: loose.atanh(f32(1)), ConstantError, NOT_FINITE),
    (lambda: loose.normalize(sd.vec2f(0, 0)), ConstantError, NOT_FINITE),
    (lambda: loose.ldexp(f32(1), 128), ConstantError, NOT_FINITE),
    (lambda: loose.ldexp(f32(1), 129), ConstantError, "ldexp's exponent is above 128"),
    (lambda: loose.clamp(f32(1), 3, 2), ConstantError, "clamp's low bound is above its high bound"),
    (lambda: loose.smoothstep(1, 1, f32(0)), ConstantError, "smoothstep's edges are equal"),
    (lambda: loose.extract_bits(u32(1), 30, 4), ConstantError, "offset and count reach beyond bit 32"),
    (lambda: loose.insert_bits(u32(1), 1, 30, 4), ConstantError, "offset and count reach beyond bit 32"),
    (lambda: loose.div_floor(i32(1), 0), ConstantError, "the divisor is a constant zero"),
    (lambda: loose.mod_floor(f32(1), 0), ConstantError, "the divisor is a constant zero"),
    (lambda: loose.div_trunc(u32(1), 0), ConstantError, "the divisor is a constant zero"),
    (lambda: loose.mod_trunc(i32(1), 0), ConstantError, "the divisor is a constant zero"),
    (lambda: loose.float_bits(0x10000, f16), ConstantError, "0x10000 is not the bits of f16"),
    (lambda: loose.float_bits(-1, f32), ConstantError, "-0x1 is not the bits of f32"),
    (lambda: loose.div_floor(sd.bitcast(f32(1), f32), 2), KernelTypeError, "div_floor is for integers, not f32"),
    (lambda: loose.mod_floor(i32(1), u32(1)), KernelTypeError, "cannot take the remainder of i32 and u32"),
    (lambda: loose.is_nan(u32(1)), KernelTypeError, "only f32 and f16 can be NaN or infinite, not u32"),
    (lambda: loose.is_nan(1.0), KernelTypeError, "a float is not a value of a kernel"),
    (lambda: loose.tanh(i32(1)), KernelTypeError, "safe_tanh takes floats and vectors of them, not i32"),
    (lambda: loose.sigmoid(0.5), KernelTypeError, "a float is not a value of a kernel"),
    (lambda: loose.inf(u32), KernelTypeError, "u32 is not f32 or f16"),
    (lambda: loose.bitcast(f32(1), f16), KernelTypeError, "cannot bitcast f32 to f16"),
    (lambda: loose.bitcast(f32(1), float), KernelTypeError, "float is not a type to bitcast to"),
    (lambda: loose.bitcast(1, u32), KernelTypeError, "an int is not a value of a kernel"),
    (lambda: loose.select(1, 2, f32(1) > 0), KernelTypeError, "select needs a typed value to choose"),
    (lambda: loose.exp(i32(1)), KernelTypeError, "exp does not take (i32)"),
    (lambda: loose.max(1, 2), KernelTypeError, "max needs a value of a kernel"),
    (lambda: loose.max(f32(1), i32(1)), KernelTypeError, "max does not take (f32, i32)"),
    (
        lambda: loose.cross(sd.vec2f(1, 2), sd.vec2f(1, 2)),
        KernelTypeError,
        "cross does not take (vec2<f32>, vec2<f32>)",
    ),
]


@pytest.mark.parametrize(("make", "error", "message"), REFUSED)
def test_bad_arguments_are_refused_where_they_stand(
    make: Callable[[], Any], error: type[ShaderError], message: str
) -> None:
    with pytest.raises(error) as caught:
        traced(make).trace()
    assert caught.value.message == message
    assert caught.value.loc is not None
    assert "lambda: loose." in caught.value.loc.span().source


RUNTIME: list[tuple[Callable[[], Any], str]] = [
    (lambda: sd.inf(f32), "bitcast<f32>(2139095040u | params.runtime_zero)"),
    (lambda: sd.nan(f32), "bitcast<f32>(2143289344u | params.runtime_zero)"),
    (lambda: sd.float_bits(0x80000000, f32), "bitcast<f32>(2147483648u | params.runtime_zero)"),
    (lambda: sd.bitcast(u32(0xFF800000), f32), "bitcast<f32>(4286578688u | params.runtime_zero)"),
]


@pytest.mark.parametrize(("make", "text"), RUNTIME, ids=["inf", "nan", "-0.0", "-inf"])
def test_what_has_no_literal_is_made_at_run_time(make: Callable[[], Any], text: str) -> None:
    assert stored(make) == text


def test_the_limits_are_finite_and_their_neighbours_are_not() -> None:
    assert math.isfinite((2.0 - 2.0**-23) * 2.0**127)
    assert stored(lambda: -sd.largest(f32)) == stored(lambda: sd.lowest(f32))
