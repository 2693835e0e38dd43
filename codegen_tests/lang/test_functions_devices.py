"""Every builtin runs on both devices: floats within the specification's bounds, integers and bits as the interpreter has them."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

import shaderdsl as sd
from shaderdsl import bool_, f32, i32, u32
from shaderdsl.ir.builtins import OVERLOADS, Builtin, Shape, resolve
from shaderdsl.ir.types import BOOL, F16, F32, I32, INTEGERS, Matrix, Type, Vector
from shaderdsl.lang.value import CLASSES
from shaderdsl.numeric.accuracy import INTERVALS, interval

Floats = npt.NDArray[np.float32]

ROWS = 64
FLOATS = [b for b in Builtin if b in INTERVALS and b is not Builtin.TRANSPOSE and b is not Builtin.DETERMINANT]
BITS = [b for b in Builtin if b not in FLOATS]
ARRANGED = {Builtin.CLAMP: (2, 0, 1), Builtin.ACOSH: (1,)}
"""Which column stands for which argument, where the order matters: a in [0.1, 0.9], b in [1, 2], c in [0.3, 1.7]."""


def columns() -> Floats:
    random = np.random.default_rng(11)
    parts = [random.uniform(low, high, ROWS) for low, high in ((0.1, 0.9), (1, 2), (0.3, 1.7))]
    return np.stack(parts, axis=1).astype(np.float32)


def types_of(builtin: Builtin) -> list[Type]:
    """Argument types over f32: a scalar where the builtin takes one, else vec3."""
    overload = OVERLOADS[builtin][0]
    bound: Type = F32 if overload.shape is Shape.SCALAR_OR_VECTOR else Vector(3, F32)
    types = [resolve(form, bound) for form in overload.parameters]
    return [t for t in types if t is not None]


def arrangement(builtin: Builtin) -> tuple[int, ...]:
    return ARRANGED.get(builtin, (0, 1, 2))


def argument(type: Type, place: int, column: Any) -> Any:
    """The argument at a place: one column, or all three in rotation."""
    if isinstance(type, Vector):
        return sd.vec3f(*(column[(place + k) % 3] for k in range(3)))
    return sd.i32(column[place] * 5) if type == I32 else column[place]


def numpy_argument(type: Type, place: int, x: Floats) -> npt.NDArray[Any]:
    if isinstance(type, Vector):
        return np.stack([x[:, (place + k) % 3] for k in range(3)], axis=1)
    return (x[:, place] * 5).astype(np.int32) if type == I32 else x[:, place]


def first(builtin: Builtin, value: Any) -> f32:
    """One float of a result."""
    part = value.fract if builtin in (Builtin.FREXP, Builtin.MODF) else value
    return part if isinstance(part, f32) else part.x


@sd.kernel
def float_calls(k: sd.Kernel, x: Annotated[sd.In[f32], "n, 3"], y: Annotated[sd.Out[f32], "n, m"]) -> None:
    with k.each(x.n) as i:
        column = [x[i, c] for c in range(3)]
        for number, builtin in enumerate(FLOATS):
            arguments = [argument(t, p, column) for t, p in zip(types_of(builtin), arrangement(builtin))]
            y[i, number] = first(builtin, call_plain(builtin, arguments))


def call_plain(builtin: Builtin, arguments: list[Any]) -> Any:
    return getattr(sd, builtin.name.lower())(*arguments)


def bounds_of(builtin: Builtin, x: Floats) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """What a device may answer for each row, in the first component."""
    arguments = [numpy_argument(t, p, x) for t, p in zip(types_of(builtin), arrangement(builtin))]
    if builtin in (Builtin.LENGTH, Builtin.DISTANCE):
        arguments = [a[:, None] for a in arguments]
    low, high = interval(builtin, arguments, F32)
    return (low, high) if low.ndim == 1 else (low[:, 0], high[:, 0])


def outside(result: Floats, x: Floats) -> list[str]:
    """Builtins that gave something beyond their bounds."""
    found: list[str] = []
    for number, builtin in enumerate(FLOATS):
        low, high = bounds_of(builtin, x)
        inside = (low <= result[:, number]) & (result[:, number] <= high)
        if not inside.all():
            found.append(builtin.value)
    return found


def test_floats_lie_within_their_bounds(executor_name: str) -> None:
    x = columns()
    assert outside(float_calls(x, device=executor_name, axes={"m": len(FLOATS)}), x) == []


def test_a_result_beyond_its_bounds_is_noticed() -> None:
    x = columns()
    result = float_calls(x, device="interpreter", axes={"m": len(FLOATS)})
    result[0, FLOATS.index(Builtin.SQRT)] *= np.float32(1.0001)
    assert outside(result, x) == ["sqrt"]


def variants(builtin: Builtin) -> list[list[Type]]:
    """Argument types of a builtin of integers, bools, words or matrices: scalars or whole matrices, each component type but f16."""
    overload = OVERLOADS[builtin][0]
    found: list[list[Type]] = []
    for scalar in (s for s in overload.scalars if s != F16):
        bound: Type = Matrix(2, 2, scalar) if overload.shape in (Shape.MATRIX, Shape.SQUARE) else scalar
        types = [resolve(form, bound) for form in overload.parameters]
        found.append([t for t in types if t is not None])
    return found


CASES = [(b, types) for b in BITS for types in variants(b)]
SMALL = {
    (Builtin.EXTRACT_BITS, 1),
    (Builtin.EXTRACT_BITS, 2),
    (Builtin.INSERT_BITS, 2),
    (Builtin.INSERT_BITS, 3),
    (Builtin.LDEXP, 1),
}
"""Arguments that stay below 16: offsets, counts and an exponent."""


def from_word(type: Type, word: u32) -> Any:
    """A value of any type from 32 random bits; floats are dyadic numbers in [-0.5, 0.5)."""
    made: Any = CLASSES[type]
    match type:
        case Matrix(columns, _, _):
            return made(*[from_word(type.column, word >> 3 * c) for c in range(columns)])
        case Vector(size, scalar):
            parts = [from_word(scalar, word >> 5 * c) for c in range(size)]
            return made(*[(p & 511) - 256 if scalar in INTEGERS else p for p in parts])
        case _ if type == F32:
            return (word & 1023).f32 / 1024 - 0.5
        case _ if type == BOOL:
            return (word & 1) == 1
        case _:
            return made(word)


def component(value: Any) -> Any:
    """One scalar of a result."""
    while not isinstance(value, f32 | u32 | i32 | bool_):
        value = value[0]
    return value


@sd.kernel
def bit_calls(
    k: sd.Kernel,
    words: Annotated[sd.In[u32], "n"],
    bits: Annotated[sd.Out[u32], "n, m"],
    floats: Annotated[sd.Out[f32], "n, m"],
) -> None:
    with k.each(words.n) as i:
        for number, (builtin, types) in enumerate(CASES):
            given = [words[i] * (2 * p + 1) & (15 if (builtin, p) in SMALL else 0xFFFFFFFF) for p in range(len(types))]
            result = component(call_plain(builtin, [from_word(t, w) for t, w in zip(types, given)]))
            bits[i, number] = u32(0) if isinstance(result, f32) else result.u32
            floats[i, number] = result if isinstance(result, f32) else f32(0)


def random_words() -> npt.NDArray[np.uint32]:
    random = np.random.default_rng(12)
    return random.integers(0, 2**32, ROWS, dtype=np.uint32)


def test_integers_and_bits_are_the_interpreters(device_name: str) -> None:
    want = bit_calls(random_words(), device="interpreter", axes={"m": len(CASES)})
    got = bit_calls(random_words(), device=device_name, axes={"m": len(CASES)})
    different = [CASES[c][0].value for c in range(len(CASES)) if (want["bits"][:, c] != got["bits"][:, c]).any()]
    assert different == []
    np.testing.assert_allclose(got["floats"], want["floats"], rtol=4e-7)


def test_each_result_says_something() -> None:
    want = bit_calls(random_words(), device="interpreter", axes={"m": len(CASES)})
    varied = np.ptp(want["bits"].astype(np.int64), axis=0) + np.ptp(want["floats"], axis=0)
    assert [CASES[c][0].value for c in np.flatnonzero(varied == 0)] == []


def test_both_kernels_cover_every_builtin() -> None:
    assert {*FLOATS, *(b for b, _ in CASES)} == set(Builtin)
