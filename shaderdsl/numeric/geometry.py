"""Dot and cross products, lengths, reflections, determinants: summed in float64, rounded once; integer dots wrap.

GEOMETRY[Builtin.LENGTH](np.float32([[3, 4]])) is [5]
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from shaderdsl.ir.builtins import Builtin
from shaderdsl.numeric.values import Array, Wide, widen


def inner(x: Wide, y: Wide) -> Wide:
    """The sum of products over the last axis, which stays as an axis of one."""
    return np.asarray(np.einsum("...i,...i->...", x, y))[..., None]  # several times faster than a sum over a short axis


def dot(x: Array, y: Array) -> Array:
    if x.dtype.kind != "f":
        return np.asarray(np.einsum("...i,...i->...", x, y))
    return inner(widen(x), widen(y))[..., 0].astype(x.dtype)


def cross(x: Array, y: Array) -> Array:
    """The vector at right angles to both, of three components."""
    a, b = widen(x), widen(y)
    after, before = [1, 2, 0], [2, 0, 1]
    return np.asarray(a[..., after] * b[..., before] - a[..., before] * b[..., after]).astype(x.dtype)


def length(x: Array) -> Array:
    wide = widen(x)
    return np.sqrt(inner(wide, wide))[..., 0].astype(x.dtype)


def distance(x: Array, y: Array) -> Array:
    difference = widen(x) - widen(y)
    return np.sqrt(inner(difference, difference))[..., 0].astype(x.dtype)


def normalize(x: Array) -> Array:
    """x / length(x); NaN for the zero vector."""
    wide = widen(x)
    return np.asarray(wide / np.sqrt(inner(wide, wide))).astype(x.dtype)


def face_forward(x: Array, incident: Array, reference: Array) -> Array:
    """x where dot(incident, reference) < 0, else -x."""
    return np.where(inner(widen(incident), widen(reference)) < 0, x, np.negative(x))


def reflect(x: Array, normal: Array) -> Array:
    """x - 2 * dot(normal, x) * normal."""
    incident, axis = widen(x), widen(normal)
    return np.asarray(incident - 2.0 * inner(axis, incident) * axis).astype(x.dtype)


def refract(x: Array, normal: Array, ratio: Array) -> Array:
    """The refracted direction for a ratio of indices (with an axis of one), or 0 on total reflection."""
    incident, axis, eta = widen(x), widen(normal), widen(ratio)
    cosine = inner(axis, incident)
    k = 1.0 - eta * eta * (1.0 - cosine * cosine)
    direction = eta * incident - (eta * cosine + np.sqrt(k)) * axis
    return np.where(k < 0.0, 0.0, direction).astype(x.dtype)


def determinant(x: Array) -> Array:
    """Cofactors in float64; the transposed storage does not matter to it."""
    return np.asarray(cofactors(widen(x))).astype(x.dtype)


def cofactors(m: Wide) -> Wide:
    """The determinant along the first column."""
    size = m.shape[-1]
    if size == 1:
        return m[..., 0, 0]
    total = np.zeros(m.shape[:-2])
    for row in range(size):
        rest = [r for r in range(size) if r != row]
        minor = cofactors(m[..., 1:, rest])
        total = total + (-1.0) ** row * m[..., 0, row] * minor
    return total


def transpose(x: Array) -> Array:
    return np.swapaxes(x, -1, -2)


GEOMETRY: dict[Builtin, Callable[..., Array]] = {
    Builtin.CROSS: cross,
    Builtin.DETERMINANT: determinant,
    Builtin.DISTANCE: distance,
    Builtin.DOT: dot,
    Builtin.FACE_FORWARD: face_forward,
    Builtin.LENGTH: length,
    Builtin.NORMALIZE: normalize,
    Builtin.REFLECT: reflect,
    Builtin.REFRACT: refract,
    Builtin.TRANSPOSE: transpose,
}
