"""`sd.array` and `sd.dtype`: data that stays on a device, and the numpy record of a structure."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shaderdsl.errors import KernelTypeError, LaunchError
from shaderdsl.execute import INTERPRETER, choose_device, located
from shaderdsl.ir.types import Struct, Type
from shaderdsl.lang.annotations import type_of
from shaderdsl.lang.here import here
from shaderdsl.numeric.host import base_dtype, logical_shape, struct_dtype
from shaderdsl.numeric.values import DTYPES
from shaderdsl.runtime.array import DeviceArray, upload
from shaderdsl.runtime.device import backend_named, open_device


def dtype(element: type[Any]) -> np.dtype[Any]:
    """The numpy dtype of a type: a record with WGSL's offsets for a structure, else that of its numbers."""
    kind = type_of(element, here())
    return struct_dtype(kind) if isinstance(kind, Struct) else base_dtype(kind)


def array(data: ArrayLike, element: type[Any] | None = None, *, device: str | None = None) -> DeviceArray:
    """A copy of `data` that stays on a device between launches.

    element: the type of an element, `sd.vec3f` for data of shape (n, 3); the scalar of the dtype if left out. device: "wgpu", "dawn" or
    "interpreter", the best present if left out.
    """
    loc = here()
    host: NDArray[Any] = np.asarray(data)
    kind = scalar_type(host.dtype) if element is None else type_of(element, loc)
    wanted, inner = base_dtype(kind), logical_shape(kind)
    if host.dtype != wanted:
        raise LaunchError(
            f"{kind} is {wanted}, not {host.dtype}", loc, hints=[f"convert it: np.asarray(data, np.{wanted})"]
        )
    axes = host.shape[: host.ndim - len(inner)]
    if host.shape[len(axes) :] != inner:
        raise LaunchError(
            f"elements of {kind} have shape {inner}, the data {host.shape}",
            loc,
            hints=["put components last: reshape it"],
        )
    with located(loc):
        name = choose_device(device, [])
        if name == INTERPRETER:
            return DeviceArray(kind, axes, name, None, host.copy())
        return DeviceArray(kind, axes, name, upload(host, kind, open_device(backend_named(name))), None)


def scalar_type(given: np.dtype[Any]) -> Type:
    """The scalar type of a numpy dtype; what WGSL cannot hold is refused by name."""
    for scalar, known in DTYPES.items():
        if np.dtype(known) == given and given.kind != "b":
            return scalar
    loc = here()
    if given.kind == "b":
        raise KernelTypeError(
            "bool has no defined size in memory", loc, hints=["convert it: np.asarray(data, np.uint32)"]
        )
    raise KernelTypeError(
        f"no type of a kernel is {given}", loc, hints=["convert it to float32, float16, int32 or uint32"]
    )
