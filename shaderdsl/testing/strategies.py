"""Hypothesis strategies for numbers that break kernels, the texts of literals, arrays, arguments of a kernel, and whole kernels.

@given(strategies.f32_values())
def test_literal(x: float) -> None:
    check_literal(x)

@given(strategies.arrays("float16", (8, 16)))
def test_kernel(x: NDArray[np.float16]) -> None: ...

Numbers are drawn by their bits, so that subnormals, both zeros and the ends of the range are as likely as any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hypothesis_numpy
from numpy.typing import DTypeLike, NDArray

from shaderdsl.ir.kernel import Role
from shaderdsl.ir.types import BOOL, Scalar, Struct, Type
from shaderdsl.numeric.host import base_dtype, logical_shape, member_array, struct_dtype
from shaderdsl.program import KernelProgram
from shaderdsl.testing.programs import kernels as kernels
from shaderdsl.wgsl.literals import format_f16, format_f32, format_i32, format_u32
from shaderdsl.wgsl.rounding import HALF, SINGLE, FloatFormat, bits_from_float, float_from_bits

UNSIGNED = {2: np.dtype("<u2"), 4: np.dtype("<u4")}
FORMATS = {2: HALF, 4: SINGLE}


def f32_bits(*, finite: bool = True) -> st.SearchStrategy[int]:
    """Bit patterns of f32; with `finite=False` inf and every NaN too."""
    return bit_patterns(SINGLE, finite)


def f16_bits(*, finite: bool = True) -> st.SearchStrategy[int]:
    """Bit patterns of f16; with `finite=False` inf and every NaN too."""
    return bit_patterns(HALF, finite)


def f32_values(*, finite: bool = True) -> st.SearchStrategy[float]:
    """Floats that f32 holds exactly, by their bits."""
    return f32_bits(finite=finite).map(lambda bits: float_from_bits(bits, SINGLE))


def f16_values(*, finite: bool = True) -> st.SearchStrategy[float]:
    """Floats that f16 holds exactly, by their bits."""
    return f16_bits(finite=finite).map(lambda bits: float_from_bits(bits, HALF))


def bit_patterns(format: FloatFormat, finite: bool) -> st.SearchStrategy[int]:
    """Any sign with any magnitude, half of them at the places where formats go wrong."""
    magnitudes = st.integers(0, format.largest if finite else format.sign - 1)
    quiet = format.infinity | 1 << (format.precision - 2)
    beyond = [] if finite else [format.infinity, format.infinity + 1, quiet, format.sign - 1]
    edges = st.sampled_from(edge_magnitudes(format) + beyond)
    signs = st.sampled_from([0, format.sign])
    return st.tuples(signs, st.one_of(magnitudes, edges)).map(lambda pair: pair[0] | pair[1])


def edge_magnitudes(format: FloatFormat) -> list[int]:
    """Zero, the ends of subnormals and normals, and every power of ten and of two with a neighbour on each side."""
    smallest_normal = 1 << (format.precision - 1)
    centres = [0, smallest_normal, format.largest]
    centres += [bits for power in range(-45, 39) if (bits := bits_from_float(10.0**power, format)) is not None]
    centres += [
        bits
        for power in range(format.quantum, format.limit)
        if (bits := bits_from_float(2.0**power, format)) is not None
    ]
    return sorted({bits + step for bits in centres for step in (-1, 0, 1) if 0 <= bits + step <= format.largest})


def literal_texts(type: str | None = None) -> st.SearchStrategy[str]:
    """Texts of literals that naga and Tint accept, in all spellings: decimal, hex, with and without suffix, signed or not.

    type: "bool", "i32", "u32", "f32", "f16", "abstract-int", "abstract-float"; None draws from all.
    """
    if type is not None:
        return LITERALS[type]
    return st.one_of(*LITERALS.values())


def hex_integer(value: int) -> str:
    return f"-{-value:#x}" if value < 0 else f"{value:#x}"


def hex_float(value: float) -> str:
    """Python's exact hex form, which is also WGSL's."""
    return value.hex()


def decimal_texts() -> st.SearchStrategy[str]:
    """Decimals with a point, an exponent or both, between 1e-12 and 1e12, which every float type but f16 holds."""
    whole = st.text("0123456789", min_size=1, max_size=6)
    fraction = st.text("0123456789", max_size=6)
    exponent = st.one_of(
        st.just(""), st.builds("{}{}".format, st.sampled_from(["e", "E", "e+", "e-", "E-"]), st.integers(0, 6))
    )
    sign = st.sampled_from(["", "-"])
    with_point = st.builds("{}{}.{}{}".format, sign, whole, fraction, exponent)
    bare_point = st.builds("{}.{}{}".format, sign, whole, exponent)
    without_point = st.builds("{}{}e{}".format, sign, whole, st.integers(-6, 6))
    return st.one_of(with_point, bare_point, without_point)


def small_decimals() -> st.SearchStrategy[str]:
    """Decimals that f16 holds."""
    return st.builds("{}.{}".format, st.integers(-65503, 65503), st.text("0123456789", max_size=6))


LITERALS: dict[str, st.SearchStrategy[str]] = {
    "bool": st.sampled_from(["true", "false"]),
    "i32": st.one_of(
        st.integers(-(2**31), 2**31 - 1).map(format_i32),
        st.integers(1 - 2**31, 2**31 - 1).map(lambda i: hex_integer(i) + "i"),
    ),
    "u32": st.one_of(
        st.integers(0, 2**32 - 1).map(format_u32), st.integers(0, 2**32 - 1).map(lambda i: hex_integer(i) + "u")
    ),
    "f32": st.one_of(
        f32_values().map(format_f32),
        f32_values().map(lambda x: hex_float(x) + "f"),
        decimal_texts().map(lambda text: text + "f"),
    ),
    "f16": st.one_of(f16_values().map(format_f16), small_decimals().map(lambda text: text + "h")),
    "abstract-int": st.one_of(
        st.integers(1 - 2**63, 2**63 - 1).map(str), st.integers(1 - 2**63, 2**63 - 1).map(hex_integer)
    ),
    "abstract-float": st.one_of(f32_values().map(hex_float), decimal_texts()),
}


def shapes(
    *, dimensions: int | None = None, min_side: int = 1, max_side: int = 300, max_size: int = 100_000
) -> st.SearchStrategy[tuple[int, ...]]:
    """Shapes of one to three axes (or of `dimensions`), often at the borders of workgroups: 1, 63, 64, 65, 255, 256, 257."""
    borders = [side for side in (1, 2, 63, 64, 65, 127, 128, 129, 255, 256, 257) if min_side <= side <= max_side]
    anything = st.integers(min_side, max_side)
    side = st.one_of(anything, st.sampled_from(borders)) if borders else anything
    fewest, most = (1, 3) if dimensions is None else (dimensions, dimensions)
    return st.lists(side, min_size=fewest, max_size=most).map(lambda sides: bounded(sides, max_size, min_side))


def bounded(sides: list[int], max_size: int, min_side: int) -> tuple[int, ...]:
    """The sides, each cut so that the product stays within `max_size`, unless `min_side` forbids it."""
    shape: list[int] = []
    for side in sides:
        shape.append(max(min(side, max_size), min_side))
        max_size //= max(shape[-1], 1)
    return tuple(shape)


def arrays(dtype: DTypeLike, shape: tuple[int, ...], *, finite: bool = True) -> st.SearchStrategy[NDArray[Any]]:
    """Arrays of float16 or float32 by their bits, or of any other dtype as hypothesis draws them."""
    wanted = np.dtype(dtype)
    if wanted.kind != "f" or wanted.itemsize not in UNSIGNED:
        return hypothesis_numpy.arrays(wanted, shape)
    patterns = bit_patterns(FORMATS[wanted.itemsize], finite)
    bits = hypothesis_numpy.arrays(UNSIGNED[wanted.itemsize], shape, elements=patterns)
    return bits.map(lambda drawn: drawn.view(wanted.newbyteorder("<")).astype(wanted, copy=False))


def arrays_for(
    program: KernelProgram, *, exact: bool = False, finite: bool = True, max_side: int = 32, **statics: object
) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of one launch of a kernel by name, of agreeing sizes: `kernel(**given)`.

    exact: floats are k / 8 with |k| <= 32 and integers small, so that short sums and products have no rounding, in any order. finite: no inf, no NaN.
    max_side: the largest axis. statics: the static arguments; one without a default must be given. Axes that no input has come as `axes=`.
    """
    signature = program.signature
    fixed = {s.name: s.default for s in signature.statics if s.has_default} | statics
    named = {a for b in signature.buffers for a in b.axes if isinstance(a, str) and a not in fixed}
    inputs = [b for b in signature.buffers if b.role is not Role.OUT]
    unseen = sorted(named - {a for b in inputs for a in b.axes})
    numbers = Numbers(exact, finite)

    def launch(sizes: dict[str, int]) -> st.SearchStrategy[dict[str, Any]]:
        known = sizes | {name: value for name, value in fixed.items() if isinstance(value, int)}
        shapes_of = {b.name: tuple(known[a] if isinstance(a, str) else a for a in b.axes) for b in inputs}
        parts = {b.name: numbers.array(b.element, shapes_of[b.name]) for b in inputs}
        parts |= {p.name: numbers.parameter(p.type) for p in signature.scalars}
        parts |= {name: st.just(value) for name, value in fixed.items()}
        if unseen:
            parts["axes"] = st.just({a: sizes[a] for a in unseen})
        return st.fixed_dictionaries(parts)

    side = shapes(dimensions=1, max_side=max_side).map(lambda shape: shape[0])
    return st.fixed_dictionaries(dict.fromkeys(sorted(named), side)).flatmap(launch)


@dataclass(frozen=True, slots=True)
class Numbers:
    """How elements are drawn: small and exact, or by any bits."""

    exact: bool
    finite: bool

    def array(self, element: Type, shape: tuple[int, ...]) -> st.SearchStrategy[NDArray[Any]]:
        """An array of elements, as a launch takes it."""
        if isinstance(element, Struct):
            return self.records(element, shape)
        return self.plain(base_dtype(element), (*shape, *logical_shape(element)))

    def plain(self, dtype: np.dtype[Any], shape: tuple[int, ...]) -> st.SearchStrategy[NDArray[Any]]:
        if not self.exact:
            return arrays(dtype, shape, finite=self.finite)
        low = 0 if dtype.kind == "u" else -32
        eighths = hypothesis_numpy.arrays(np.int32, shape, elements=st.integers(low, 32))
        return eighths.map(lambda drawn: (drawn / 8 if dtype.kind == "f" else drawn).astype(dtype))

    def records(self, struct: Struct, shape: tuple[int, ...]) -> st.SearchStrategy[NDArray[Any]]:
        """An array of structures, member by member; padding is zero."""

        def assembled(parts: dict[str, NDArray[Any]]) -> NDArray[Any]:
            made = np.zeros(shape, struct_dtype(struct))
            for member in struct.members:
                member_array(made, member.name, member.type)[...] = parts[member.name]
            return made

        return st.fixed_dictionaries({m.name: self.array(m.type, shape) for m in struct.members}).map(assembled)

    def parameter(self, type: Type) -> st.SearchStrategy[Any]:
        """A scalar as a Python number, anything else as an array."""
        if type == BOOL:
            return st.booleans()
        drawn = self.array(type, ())
        return drawn.map(lambda array: array.item()) if isinstance(type, Scalar) else drawn
