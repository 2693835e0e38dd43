"""What a schedule gives: kernels in order, with the arrays they bind and the sizes they take.

plan(spec, ranks)[0].kernel     # the first stage's
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.types import BOOL, F32, I32, U32, Scalar
from shaderdsl.schedule.sizes import Quantity, Tensor
from shaderdsl.spec.notation import Dtype, Read

TYPES: dict[Dtype, Scalar] = {Dtype.F32: F32, Dtype.I32: I32, Dtype.U32: U32, Dtype.BOOL: BOOL}
STORED: dict[Dtype, Scalar] = {**TYPES, Dtype.BOOL: U32}
"""Types in memory: a condition is a word."""

WIDTH = 64
"""Invocations in a workgroup."""

FAULT = "first_fault"
"""The buffer of a check: the least number of a point whose index lies outside, all ones where there is none."""


@dataclass(frozen=True, slots=True)
class Gather:
    """A read at an index that is itself read, which must lie inside its axis. indices: those of the stage that it depends on.

    leading: whether it depends on the leading axes too. tensors: what its indices read.
    """

    stage: int
    read: Read
    indices: tuple[str, ...]
    leading: bool
    tensors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Nonempty:
    """Sizes of which none may be 0 where the target has elements: nothing has no greatest element."""

    target: str
    word: str
    over: tuple[Quantity, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One launch. Buffers are named as tensors. sizes: fields of the uniform. points: the domain's axes, one invocation a point.

    made: what it allocates and writes. check: set where it only looks for indices that lie outside.
    """

    stage: int
    kernel: Kernel
    reads: tuple[str, ...]
    made: tuple[Tensor, ...]
    sizes: Mapping[str, Quantity]
    points: tuple[Quantity, ...]
    check: Gather | None = None
    nonempty: Nonempty | None = None
