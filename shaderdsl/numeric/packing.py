"""Four bytes or two halves in a u32, and the dot products of such words; component 0 lies in the low bits.

PACKING[Builtin.PACK4X8_UNORM](np.float32([[1, 0, 0, 0]])) is [255]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from shaderdsl.ir.builtins import Builtin
from shaderdsl.numeric.values import Array, widen

BYTE = np.dtype("<u1")
SIGNED_BYTE = np.dtype("<i1")
SHORT = np.dtype("<u2")
SIGNED_SHORT = np.dtype("<i2")
HALF = np.dtype("<f2")
WORD = np.dtype("<u4")


def join(parts: Array) -> Array:
    """The last axis, four bytes in all, as one u32."""
    return np.ascontiguousarray(parts).view(WORD)[..., 0].astype(np.uint32, copy=False)


def split(word: Array, part: np.dtype[Any]) -> Array:
    """A u32 as a last axis of smaller parts."""
    return np.ascontiguousarray(np.asarray(word)[..., None].astype(WORD, copy=False)).view(part)


def pack_normalized(scale: float, low: float, part: np.dtype[Any]) -> Callable[[Array], Array]:
    """floor(0.5 + scale * clamp(x, low, 1)) of each component, in float64; NaN packs as low."""

    def pack(x: Array) -> Array:
        return join(np.floor(0.5 + scale * np.fmin(np.fmax(widen(x), low), 1.0)).astype(part))

    return pack


def unpack_normalized(scale: float, part: np.dtype[Any]) -> Callable[[Array], Array]:
    """max(component / scale, -1) of each part."""

    def unpack(word: Array) -> Array:
        return np.maximum(widen(split(word, part)) / scale, -1.0).astype(np.float32)

    return unpack


def pack_half(x: Array) -> Array:
    """Two f32 as f16, to nearest even; infinite beyond the range of f16."""
    return join(x.astype(HALF))


def unpack_half(word: Array) -> Array:
    return split(word, HALF).astype(np.float32)


def pack_bytes(x: Array) -> Array:
    """The low byte of each component."""
    return join(np.bitwise_and(x, x.dtype.type(255)).astype(BYTE))


def pack_bytes_clamped(low: int, high: int, part: np.dtype[Any]) -> Callable[[Array], Array]:
    """Each component clamped to the byte's range first."""

    def pack(x: Array) -> Array:
        return join(np.clip(x, low, high).astype(part))

    return pack


def unpack_signed(word: Array) -> Array:
    return split(word, SIGNED_BYTE).astype(np.int32)


def unpack_unsigned(word: Array) -> Array:
    return split(word, BYTE).astype(np.uint32)


def dot_signed(x: Array, y: Array) -> Array:
    return np.asarray(np.einsum("...i,...i->...", unpack_signed(x), unpack_signed(y)))


def dot_unsigned(x: Array, y: Array) -> Array:
    return np.asarray(np.einsum("...i,...i->...", unpack_unsigned(x), unpack_unsigned(y)))


PACKING: dict[Builtin, Callable[..., Array]] = {
    Builtin.DOT4_I8_PACKED: dot_signed,
    Builtin.DOT4_U8_PACKED: dot_unsigned,
    Builtin.PACK2X16_FLOAT: pack_half,
    Builtin.PACK2X16_SNORM: pack_normalized(32767.0, -1.0, SIGNED_SHORT),
    Builtin.PACK2X16_UNORM: pack_normalized(65535.0, 0.0, SHORT),
    Builtin.PACK4X8_SNORM: pack_normalized(127.0, -1.0, SIGNED_BYTE),
    Builtin.PACK4X8_UNORM: pack_normalized(255.0, 0.0, BYTE),
    Builtin.PACK4X_I8: pack_bytes,
    Builtin.PACK4X_I8_CLAMP: pack_bytes_clamped(-128, 127, SIGNED_BYTE),
    Builtin.PACK4X_U8: pack_bytes,
    Builtin.PACK4X_U8_CLAMP: pack_bytes_clamped(0, 255, BYTE),
    Builtin.UNPACK2X16_FLOAT: unpack_half,
    Builtin.UNPACK2X16_SNORM: unpack_normalized(32767.0, SIGNED_SHORT),
    Builtin.UNPACK2X16_UNORM: unpack_normalized(65535.0, SHORT),
    Builtin.UNPACK4X8_SNORM: unpack_normalized(127.0, SIGNED_BYTE),
    Builtin.UNPACK4X8_UNORM: unpack_normalized(255.0, BYTE),
    Builtin.UNPACK4X_I8: unpack_signed,
    Builtin.UNPACK4X_U8: unpack_unsigned,
}
