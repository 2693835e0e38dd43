"""Arguments of an op against its spec: each tensor and number refused by name, or taken in the type that memory holds.

taken = take(spec, {"x": x, "eps": 1e-6});  taken.arrays["x"].dtype == np.float32

Floats of any width are rounded to f32, which must hold them; whole numbers must fit their type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shaderdsl.arguments import scalar_value
from shaderdsl.errors import LaunchError
from shaderdsl.numeric.values import DTYPES
from shaderdsl.run_steps import Given
from shaderdsl.runtime.array import DeviceArray
from shaderdsl.schedule.step import STORED, TYPES
from shaderdsl.spec.notation import Dtype, OpSpec, ScalarInput, TensorInput
from shaderdsl.spec.shapes import bind_sizes

Host = NDArray[Any]


def assign(
    name: str,
    inputs: Sequence[str],
    positional: Sequence[object],
    named: Mapping[str, object],
    optional: Sequence[str] = (),
) -> dict[str, Any]:
    """Arguments by the names of the inputs, all of them and no others. optional: what may be left out, and is where it is no input."""
    if len(positional) > len(inputs):
        raise LaunchError(
            f"{name} takes {len(inputs)} arguments, {len(positional)} were given",
            hints=[f"give {', '.join(inputs) or 'none'}"],
        )
    given: dict[str, Any] = dict(zip(inputs, positional))
    for word, value in named.items():
        if word not in inputs and word in optional:
            continue
        if word not in inputs:
            raise LaunchError(f"{name} has no input {word}", hints=[f"its inputs are {', '.join(inputs) or 'none'}"])
        if word in given:
            raise LaunchError(f"{name} got {word} twice", hints=["give it by position or by name"])
        given[word] = value
    missing = [n for n in inputs if n not in given and n not in optional]
    if missing:
        raise LaunchError(f"{name} misses {', '.join(missing)}", hints=[f"give {missing[0]}=..."])
    return given


def take(spec: OpSpec, given: Mapping[str, Any]) -> Given:
    """The arguments of one call, and what their shapes make of the spec's sizes."""
    arrays = {i.name: tensor(i, given[i.name]) for i in spec.inputs if isinstance(i, TensorInput)}
    scalars = {i.name: number(i, given[i.name]) for i in spec.inputs if isinstance(i, ScalarInput)}
    whole = {
        i.name: int(scalars[i.name]) for i in spec.inputs if isinstance(i, ScalarInput) and i.dtype is not Dtype.F32
    }
    return Given(arrays, scalars, bind_sizes(spec, {n: tuple(a.shape) for n, a in arrays.items()}, whole))


def shape_of(name: str, value: Any) -> tuple[int, ...]:
    return tuple(value.shape) if isinstance(value, DeviceArray) else numbers(name, value).shape


def number(given: ScalarInput, value: Any) -> Any:
    """A scalar as the uniform holds it."""
    if hasattr(value, "dtype"):  # numpy's numbers and arrays of no axis
        array: Host = np.asarray(value)
        if array.ndim:
            raise LaunchError(f"{given.name} is a number, not an array of shape {array.shape}", hints=["give a number"])
        value = array.item()
    return scalar_value(given.name, TYPES[given.dtype], value)


def tensor(given: TensorInput, value: Any) -> Host | DeviceArray:
    """A tensor as memory holds it."""
    name, stored = given.name, STORED[given.dtype]
    if isinstance(value, DeviceArray):
        if value.element != stored:
            raise LaunchError(f"{name} holds {stored}, the array {value.element}", hints=["convert it on the host"])
        value.check(name)
        return value
    host = numbers(name, value)
    if given.dtype is Dtype.F32:
        return rounded(name, host)
    if given.dtype is Dtype.BOOL:
        return host.astype(np.bool_).astype(np.uint32)
    return fitting(name, host, DTYPES[stored])


def numbers(name: str, value: Any) -> Host:
    try:
        host = np.asarray(value)
    except ValueError:
        raise LaunchError(f"{name} is a ragged list", hints=["give an array of one shape"]) from None
    if host.dtype.kind not in "biuf":
        raise LaunchError(f"{name} holds {host.dtype}, not real numbers", hints=["give an array of numbers"])
    return host


def rounded(name: str, host: Host) -> Host:
    """Rounded to f32, and finite where it was."""
    with np.errstate(over="ignore"):
        found = host.astype(np.float32)
    lost = np.isinf(found) & np.isfinite(host)
    if lost.any():
        raise LaunchError(f"{name} holds {host[lost][0]}, which f32 does not hold", hints=[f"scale {name} down"])
    return found


def fitting(name: str, host: Host, dtype: np.dtype[Any]) -> Host:
    """Whole numbers in 32 bits."""
    if host.dtype.kind not in "biu":
        raise LaunchError(f"{name} holds whole numbers, not {host.dtype}", hints=[f"give {name}.astype(np.{dtype})"])
    limits = np.iinfo(dtype)
    wide = host.astype(object) if host.dtype.itemsize == 8 and host.dtype.kind == "u" else host.astype(np.int64)
    lost = (wide < limits.min) | (wide > limits.max)
    if lost.any():
        raise LaunchError(f"{name} holds {host[lost][0]}, which {dtype} does not hold", hints=["give smaller numbers"])
    return host.astype(dtype)
