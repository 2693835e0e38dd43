"""What each golden kernel is run with: inputs, statics, axes, groups, and how near the devices must come to the interpreter.

CASES["norm.rms_norm"].run("wgpu")      # {"y": array(...)}

Integers, and floats that are small dyadic numbers, agree bit for bit; the rest within 1e-5 unless the case says otherwise, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

import shaderdsl as sd
from codegen_tests.kernels import (
    atomics,
    collectives,
    control,
    conversions,
    debugging,
    domains,
    elementwise,
    functions,
    half,
    integers,
    literals,
    matmul,
    matrices,
    memory,
    module,
    names,
    norm,
    packing,
    reduce,
    scan,
    structs,
    tables,
    vectors,
)

Array = NDArray[Any]
EXACT, CLOSE = 0.0, 1e-5
ANGLE = 1e-3
"""WGSL promises sin and cos to 2**-11 and the arc functions to about 7e-5 absolute."""
EVERYWHERE = ("wgpu", "dawn")
WITH_F16 = ("wgpu",)
"""SwiftShader, which runs Dawn here, has no shader-f16."""


@dataclass(frozen=True)
class Case:
    """One launch of a golden kernel. `tolerance` is relative to the largest magnitude of 1 and the value; 0 compares bits."""

    program: sd.KernelProgram
    arguments: Mapping[str, object]
    tolerance: float = EXACT
    axes: Mapping[str, int] = field(default_factory=dict[str, int])
    groups: tuple[int, ...] | None = None
    statics: Mapping[str, object] = field(default_factory=dict[str, object])
    devices: tuple[str, ...] = EVERYWHERE

    def run(self, device: str) -> dict[str, Array]:
        """The written buffers by name."""
        given: dict[str, Any] = {**self.arguments, **self.statics}
        result: Any = self.program(device=device, groups=self.groups, axes=self.axes, **given)
        return cast("dict[str, Array]", result) if isinstance(result, dict) else {"": result}


RNG = np.random.default_rng(7)


def reals(*shape: int, low: float = -4, high: float = 4) -> Array:
    """Floats of any digits."""
    return RNG.uniform(low, high, shape).astype(np.float32)


def dyadic(*shape: int) -> Array:
    """Multiples of 1/8 in [-4, 4): sums and products of a few are exact."""
    return (RNG.integers(-32, 32, shape) / 8).astype(np.float32)


def ints(*shape: int, low: int = -50, high: int = 50) -> Array:
    return RNG.integers(low, high, shape).astype(np.int32)


def words(*shape: int) -> Array:
    """Any 32 bits."""
    return RNG.integers(0, 2**32, shape, dtype=np.uint32)


def below(bound: int, *shape: int) -> Array:
    return RNG.integers(0, bound, shape).astype(np.uint32)


def units(*shape: int) -> Array:
    """Vectors of some length that is not near 0."""
    return reals(*shape, low=0.25, high=2)


def records(kind: type[Any], count: int, **members: object) -> Array:
    """Structures with some members set."""
    made = np.zeros(count, sd.dtype(kind))
    for name, value in members.items():
        made[name] = value
    return made


def box(low: float, high: float) -> Array:
    made = np.zeros((), sd.dtype(structs.Box))
    made["low"], made["high"] = low, high
    return made


N = 70
"""More than a workgroup, and no multiple of one."""
X = dyadic(N)
Y = np.where(dyadic(N) == 0, np.float32(0.5), dyadic(N) + np.float32(0.0625)).astype(np.float32)

ELEMENTWISE = {
    "elementwise.scale": Case(elementwise.scale, {"x": X, "a": 2.5}),
    "elementwise.axpy": Case(elementwise.axpy, {"a": 0.5, "x": X, "y": dyadic(N)}),
    "elementwise.arithmetic": Case(elementwise.arithmetic, {"x": X, "y": Y}, CLOSE),
    "elementwise.limits": Case(elementwise.limits, {"x": X, "y": Y}, CLOSE),
    "elementwise.rounding": Case(elementwise.rounding, {"x": X}),
    "elementwise.powers": Case(elementwise.powers, {"x": reals(N, low=0.1)}, 2e-5),
    "elementwise.angles": Case(elementwise.angles, {"x": reals(N, low=-1, high=1)}, ANGLE),
    "elementwise.hyperbolics": Case(elementwise.hyperbolics, {"x": reals(N, low=0.1, high=1.5)}, 2e-5),
    "elementwise.activations": Case(elementwise.activations, {"x": reals(N, low=-100, high=100)}, 2e-5),
    "half.scale": Case(half.scale, {"x": X.astype(np.float16), "a": 2.0}, devices=WITH_F16),
    "half.vectors": Case(half.vectors, {"x": dyadic(N, 4).astype(np.float16)}, devices=WITH_F16),
    "debugging.watched": Case(debugging.watched, {"x": np.abs(X) ** 2}, CLOSE),
    "module.placed": Case(module.placed, {"x": X, "y": Y, "bias": 0.25}),
}
ROWS = dyadic(5, 300)
GROUPS = {
    "norm.rms_norm": Case(norm.rms_norm, {"x": reals(5, 300), "gain": reals(300), "eps": 1e-6}, CLOSE),
    "norm.layer_norm": Case(
        norm.layer_norm, {"x": reals(5, 300), "gain": reals(300), "bias": reals(300), "eps": 1e-5}, CLOSE
    ),
    "norm.softmax": Case(norm.softmax, {"x": reals(5, 300)}, CLOSE),
    "reduce.partial_sums": Case(reduce.partial_sums, {"x": dyadic(300)}, axes={"groups": 5}),
    "reduce.argmax": Case(reduce.argmax, {"x": ROWS}),
    "matmul.tiled": Case(matmul.tiled, {"a": dyadic(20, 37), "b": dyadic(37, 18)}),
    "matmul.blocked": Case(matmul.blocked, {"a": dyadic(20, 37), "b": dyadic(37, 19)}, statics={"tile": 3}),
    "scan.row_scan": Case(scan.row_scan, {"x": dyadic(3, 150)}),
    "scan.doubling": Case(scan.doubling, {"x": words(3, 32)}),
    "collectives.totals": Case(collectives.totals, {"x": ints(4, 32)}),
    "collectives.votes": Case(collectives.votes, {"x": dyadic(9, 20)}),
}
ATOMICS = {
    "atomics.histogram": Case(atomics.histogram, {"x": words(500)}),
    "atomics.every_operation": Case(atomics.every_operation, {"x": ints(N)}),
    "atomics.locked_maximum": Case(atomics.locked_maximum, {"x": ints(N), "best": np.array([-7], np.int32)}),
}
PARTICLES = records(
    structs.Particle, N, position=dyadic(N, 3), mass=1.5, velocity=dyadic(N, 3), age=np.arange(N, dtype=np.uint32)
)
CELLS = records(structs.Cell, N, turn=dyadic(N, 2, 2), hits=below(9, N, 3))
COUNTERS = records(structs.Counter, 4, limit=np.array([0, 10, 20, 30], np.int32))
SHAPES = {
    "structs.step": Case(structs.step, {"particles": PARTICLES, "box": box(-2, 3), "dt": 0.5}),
    "structs.touch": Case(structs.touch, {"cells": CELLS, "points": dyadic(N, 2)}),
    "structs.count": Case(structs.count, {"x": ints(N), "counters": COUNTERS}),
    "vectors.swizzles": Case(vectors.swizzles, {"x": dyadic(N, 4)}),
    "vectors.comparisons": Case(
        vectors.comparisons, {"a": ints(N, 3, low=-2, high=8), "b": ints(N, 3, low=-2, high=8)}
    ),
    "vectors.geometry": Case(vectors.geometry, {"a": units(N, 3), "b": units(N, 3)}, CLOSE),
    "vectors.integer_dot": Case(vectors.integer_dot, {"a": words(N, 2), "b": words(N, 2)}),
    "vectors.dynamic_component": Case(vectors.dynamic_component, {"x": dyadic(N, 4), "which": ints(N, low=0, high=4)}),
    "matrices.transform": Case(matrices.transform, {"points": dyadic(N, 3), "turn": dyadic(3, 3), "offset": dyadic(3)}),
    "matrices.products": Case(matrices.products, {"a": dyadic(N, 2, 3), "b": dyadic(N, 3, 2)}, CLOSE),
    "matrices.build": Case(matrices.build, {"angle": X}),
}
CONTROL = {
    "control.collatz": Case(control.collatz, {"start": np.arange(N, dtype=np.uint32)}),
    "control.grades": Case(control.grades, {"x": np.arange(0, N * 2, 2).astype(np.float32) / 2}),
    "control.countdown": Case(control.countdown, {"x": ints(N, low=-5, high=12)}),
    "control.first_match": Case(control.first_match, {"x": below(12, N, 9), "key": 3}),
    "control.logic": Case(control.logic, {"x": ints(N, low=-5, high=15), "on": True}),
    "control.unrolled": Case(control.unrolled, {"x": X}, statics={"taps": 3}),
    "functions.calls": Case(functions.calls, {"x": reals(N)}, CLOSE),
    "functions.reversal": Case(functions.reversal, {"x": dyadic(3, 8)}),
    "names.reserved": Case(
        names.reserved,
        {"target": X, "storage": records(names.texture, N, filter=dyadic(N), ref=below(9, N)), "self": 2.0},
    ),
    "names.shadows": Case(names.shadows, {"params": X}),
    "names.größe": Case(names.größe, {"länge": X, "breite": dyadic(N)}),
    "tables.convolve": Case(tables.convolve, {"x": X}),
    "tables.look_up": Case(tables.look_up, {"x": words(N)}),
}
NUMBERS = {
    "integers.bit_counts": Case(integers.bit_counts, {"x": np.append(words(N), np.uint32(0))}),
    "integers.shifts": Case(integers.shifts, {"x": words(N).view(np.int32), "by": below(32, N)}),
    "integers.divisions": Case(
        integers.divisions, {"x": ints(N), "y": ints(N, low=1, high=9) * (1 - 2 * ints(N, low=0, high=2))}
    ),
    "integers.unsigned": Case(integers.unsigned, {"x": words(N), "y": words(N)}),
    "integers.bytes_": Case(integers.bytes_, {"a": words(N), "b": words(N)}),
    "packing.pack": Case(packing.pack, {"x": reals(N, 4, low=-1.5, high=1.5), "y": ints(N, 4, low=-300, high=300)}),
    "packing.unpack": Case(packing.unpack, {"x": words(N)}, CLOSE),
    "conversions.values": Case(conversions.values, {"x": reals(N, low=-100, high=100)}),
    "conversions.bits": Case(conversions.bits, {"x": reals(N)}),
    "conversions.vectors": Case(conversions.vectors, {"x": reals(N, 3, low=-100, high=100)}),
    "literals.floats": Case(literals.floats, {}),
    "literals.not_numbers": Case(literals.not_numbers, {}),
    "literals.integers": Case(literals.integers, {}),
}
PLACES = {
    "memory.transposed": Case(memory.transposed, {"x": dyadic(19, 30)}),
    "memory.sorted_window": Case(memory.sorted_window, {"x": dyadic(N, 4)}),
    "memory.agreed": Case(memory.agreed, {"x": words(4, 16)}),
    "memory.neighbours": Case(memory.neighbours, {"x": words(4, 32)}),
    "memory.swapped": Case(memory.swapped, {"x": dyadic(N, 2)}),
    "domains.each_1": Case(domains.each_1, {}, axes={"n": N}),
    "domains.each_2": Case(domains.each_2, {}, axes={"rows": 9, "cols": 21}),
    "domains.each_3": Case(domains.each_3, {}, axes={"planes": 3, "rows": 6}),
    "domains.group_1": Case(domains.group_1, {}, axes={"n": 7}),
    "domains.group_2": Case(domains.group_2, {}, axes={"rows": 5, "cols": 3}),
    "domains.group_3": Case(domains.group_3, {"extra": 1}, axes={"a": 2, "b": 3, "c": 8}),
    "domains.inputs": Case(domains.inputs, {}, axes={"n": 12}, groups=(2, 3, 2)),
}
CASES: dict[str, Case] = ELEMENTWISE | GROUPS | ATOMICS | SHAPES | CONTROL | NUMBERS | PLACES
"""By `file.kernel`, as the table of goldens names them."""
