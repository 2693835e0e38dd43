"""Whether two runs of a generated program agree: bit for bit, but for the sign of zero and the one operation that has a bound.

disagreement(program, program("interpreter"), program("wgpu")) is None
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shaderdsl.ir.accuracy import Operation
from shaderdsl.ir.types import F32
from shaderdsl.numeric.accuracy import interval
from shaderdsl.testing.programs import Program
from shaderdsl.testing.programs_inexact import CHOICES, OPERANDS, RESULT

Results = Mapping[str, NDArray[Any]]


def disagreement(program: Program, expected: Results, found: Results) -> str | None:
    """The first difference in words, or None. WGSL leaves the sign of zero open, so it is not compared."""
    for name, array in expected.items():
        if name == RESULT and program.inexact is not None:
            said = outside(program.inexact, found[OPERANDS], found[RESULT])
        else:
            said = difference(name, array, found[name])
        if said is not None:
            return said
    return None


def difference(name: str, expected: NDArray[Any], found: NDArray[Any]) -> str | None:
    """Where two arrays differ first."""
    for (path, one), (_, other) in zip(members(name, expected), members(name, found)):
        a, b = bits(one), bits(other)
        if a.shape != b.shape:
            return f"{path} has the shape {b.shape}, not {a.shape}"
        if not np.array_equal(a, b):
            at = tuple(int(i) for i in np.argwhere(a != b)[0])
            return f"{path}{list(at)} is {other[at]!r}, not {one[at]!r} ({np.count_nonzero(a != b)} of {a.size} differ)"
    return None


def members(name: str, array: NDArray[Any]) -> Iterator[tuple[str, NDArray[Any]]]:
    """An array, or the members of an array of structures."""
    if array.dtype.names is None:
        yield name, array
        return
    for inner in array.dtype.names:
        if not inner.startswith("_"):
            yield from members(f"{name}.{inner}", array[inner])


def bits(array: NDArray[Any]) -> NDArray[Any]:
    """Floats by their bits, both zeros alike."""
    if array.dtype.kind != "f":
        return array
    return np.ascontiguousarray(array + array.dtype.type(0)).view(f"u{array.dtype.itemsize}")


def outside(operation: Operation, operands: NDArray[Any], results: NDArray[Any]) -> str | None:
    """The first result that leaves the operation's bound."""
    arity = next(c.arity for c in CHOICES if c.operation is operation)
    low, high = interval(operation, [operands[..., i] for i in range(arity)], F32)
    wrong = ~((results >= low) & (results <= high))
    if not wrong.any():
        return None
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    given = operands[at][:arity].tolist()
    return f"{operation.value} of {given} is {results[at]!r}, outside [{low[at]!r}, {high[at]!r}]"
