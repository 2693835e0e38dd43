"""Small numbers packed in a u32, the first in its low bits, and dot products of packed bytes: `sd.pack4x8_snorm(v)`."""

from __future__ import annotations

from shaderdsl.ir.builtins import Builtin
from shaderdsl.lang.operate import call
from shaderdsl.lang.scalars import i32, u32
from shaderdsl.lang.vectors import vec2f, vec4f, vec4i, vec4u


def pack2x16_float(v: vec2f) -> u32:
    """Two floats as f16, correctly rounded; beyond f16's range the result is not defined."""
    return call(Builtin.PACK2X16_FLOAT, v)


def pack2x16_snorm(v: vec2f) -> u32:
    """Two floats of [-1, 1] as i16 in units of 1/32767; clamped."""
    return call(Builtin.PACK2X16_SNORM, v)


def pack2x16_unorm(v: vec2f) -> u32:
    """Two floats of [0, 1] as u16 in units of 1/65535; clamped."""
    return call(Builtin.PACK2X16_UNORM, v)


def pack4x8_snorm(v: vec4f) -> u32:
    """Four floats of [-1, 1] as i8 in units of 1/127; clamped."""
    return call(Builtin.PACK4X8_SNORM, v)


def pack4x8_unorm(v: vec4f) -> u32:
    """Four floats of [0, 1] as u8 in units of 1/255; clamped."""
    return call(Builtin.PACK4X8_UNORM, v)


def pack4x_i8(v: vec4i) -> u32:
    """The low 8 bits of four i32."""
    return call(Builtin.PACK4X_I8, v)


def pack4x_u8(v: vec4u) -> u32:
    """The low 8 bits of four u32."""
    return call(Builtin.PACK4X_U8, v)


def pack4x_i8_clamp(v: vec4i) -> u32:
    """Four i32 clamped to [-128, 127], as bytes."""
    return call(Builtin.PACK4X_I8_CLAMP, v)


def pack4x_u8_clamp(v: vec4u) -> u32:
    """Four u32 clamped to [0, 255], as bytes."""
    return call(Builtin.PACK4X_U8_CLAMP, v)


def unpack2x16_float(word: u32) -> vec2f:
    """Two f16 as f32, exact."""
    return call(Builtin.UNPACK2X16_FLOAT, word)


def unpack2x16_snorm(word: u32) -> vec2f:
    """Two i16 as floats of [-1, 1] in units of 1/32767; 3 ulp."""
    return call(Builtin.UNPACK2X16_SNORM, word)


def unpack2x16_unorm(word: u32) -> vec2f:
    """Two u16 as floats of [0, 1] in units of 1/65535; 3 ulp."""
    return call(Builtin.UNPACK2X16_UNORM, word)


def unpack4x8_snorm(word: u32) -> vec4f:
    """Four i8 as floats of [-1, 1] in units of 1/127; 3 ulp."""
    return call(Builtin.UNPACK4X8_SNORM, word)


def unpack4x8_unorm(word: u32) -> vec4f:
    """Four u8 as floats of [0, 1] in units of 1/255; 3 ulp."""
    return call(Builtin.UNPACK4X8_UNORM, word)


def unpack4x_i8(word: u32) -> vec4i:
    """Four bytes as i32, sign-extended."""
    return call(Builtin.UNPACK4X_I8, word)


def unpack4x_u8(word: u32) -> vec4u:
    """Four bytes as u32."""
    return call(Builtin.UNPACK4X_U8, word)


def dot4_i8_packed(a: u32 | int, b: u32 | int) -> i32:
    """The dot product of four signed bytes with four others, exact."""
    return call(Builtin.DOT4_I8_PACKED, a, b)


def dot4_u8_packed(a: u32 | int, b: u32 | int) -> u32:
    """The dot product of four unsigned bytes with four others, exact."""
    return call(Builtin.DOT4_U8_PACKED, a, b)
