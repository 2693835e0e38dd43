"""What a plan is called with: arrays and numbers among any other values, and what plans are made for of each.

Array(kept("x", x), dtype_of(x)).key      # ((3, 5), Dtype.F32)
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shaderdsl.errors import InternalError, LaunchError
from shaderdsl.graph.tensor import number_kind
from shaderdsl.ir.types import Type
from shaderdsl.runtime.array import DeviceArray
from shaderdsl.schedule.step import STORED
from shaderdsl.spec.notation import Dtype, TensorInput
from shaderdsl.tensor_arguments import numbers, tensor

HOSTED = {"f": Dtype.F32, "i": Dtype.I32, "u": Dtype.U32, "b": Dtype.BOOL}
RESIDENT: dict[Type, Dtype] = {stored: dtype for dtype, stored in STORED.items() if dtype is not Dtype.BOOL}
"""Types in formulas, by numpy's kind and by what a resident array holds."""


@dataclass(frozen=True, slots=True)
class Array:
    """An array argument as memory holds it, and the type of its elements in formulas."""

    data: NDArray[Any] | DeviceArray
    kind: Dtype

    @property
    def key(self) -> Hashable:
        """What plans are made for; of whole numbers, which may be indices, also whether the host has them."""
        return (tuple(self.data.shape), self.kind, self.hosted)

    @property
    def hosted(self) -> bool:
        return self.kind in (Dtype.I32, Dtype.U32) and not isinstance(self.data, DeviceArray)


@dataclass(frozen=True, slots=True)
class Word:
    """An argument's name in the graph, and whether it is donated."""

    name: str
    donated: bool


def is_array(value: Any) -> bool:
    return isinstance(value, DeviceArray | np.ndarray) and (isinstance(value, DeviceArray) or value.ndim >= 0)


def kept(name: str, value: Any) -> NDArray[Any] | DeviceArray:
    """An array argument in the type that memory holds."""
    if isinstance(value, DeviceArray):
        return value
    return tensor(TensorInput(name, (None,) * value.ndim, dtype_of(value)), value)


def dtype_of(value: Any) -> Dtype:
    """The type of an array's elements in formulas."""
    if isinstance(value, DeviceArray):
        if value.element not in RESIDENT:
            raise LaunchError(
                f"an array holds {value.element}, tensors hold f32, i32 or u32",
                hints=["convert it on the host: sd.array(x.numpy().astype(np.float32))"],
            )
        return RESIDENT[value.element]
    return HOSTED[numbers("the array", value).dtype.kind]


def number_type(value: Any) -> Dtype:
    found = number_kind(value)
    if found is None:
        raise InternalError(f"{value!r} is no number")
    return found


def plain(value: Any) -> Any:
    """A numpy number as Python's."""
    found: Any = value
    return found.item() if isinstance(value, np.generic) else found


def identifier(word: str) -> str:
    return "".join(c if c.isalnum() or c == "_" else "_" for c in word)
