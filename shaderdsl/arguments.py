"""Arguments of a launch against the kernel's signature: dtypes, shapes, axes and parameters, each refused by name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from shaderdsl.errors import LaunchError
from shaderdsl.ir.kernel import Buffer, Kernel, Role
from shaderdsl.ir.types import BOOL, FLOATS, U32, Array, Scalar, Struct, Type
from shaderdsl.lang.signature import BufferParameter, ScalarParameter, Signature, StaticParameter
from shaderdsl.numeric.host import base_dtype, logical_shape
from shaderdsl.numeric.values import INTEGER_LIMITS
from shaderdsl.runtime.array import DeviceArray


@dataclass(slots=True)
class Bound:
    """Arguments in their places: buffers by name, sizes of named axes, values of the uniform's scalar parameters."""

    buffers: dict[str, NDArray[Any] | DeviceArray] = field(default_factory=dict[str, "NDArray[Any] | DeviceArray"])
    axes: dict[str, int] = field(default_factory=dict[str, int])
    params: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def resident(self) -> list[DeviceArray]:
        return [a for a in self.buffers.values() if isinstance(a, DeviceArray)]


def assign(signature: Signature, positional: Sequence[object], named: Mapping[str, object]) -> dict[str, object]:
    """Arguments by parameter name: In, InOut, Param and Static in order, Out skipped."""
    taken = [p for p in signature.parameters if not (isinstance(p, BufferParameter) and p.role is Role.OUT)]
    names = [p.name for p in taken]
    if len(positional) > len(names):
        outs = [p.name for p in signature.parameters if p not in taken]
        raise LaunchError(
            f"{signature.name} takes {len(names)} argument{'s' * (len(names) != 1)}, {len(positional)} were given",
            hints=[
                f"give {', '.join(names) or 'none'}"
                + (f"; Out buffers are allocated and returned: {', '.join(outs)}" if outs else "")
            ],
        )
    given = dict(zip(names, positional))
    for name, value in named.items():
        if name not in names:
            hint = (
                "Out buffers are allocated and returned"
                if any(b.name == name for b in signature.buffers)
                else f"it takes {', '.join(names)}"
            )
            raise LaunchError(f"{signature.name} takes no argument {name}", hints=[hint])
        if name in given:
            raise LaunchError(f"{signature.name} got {name} twice", hints=["give it by position or by name"])
        given[name] = value
    for parameter in taken:
        if isinstance(parameter, StaticParameter) and parameter.has_default:
            given.setdefault(parameter.name, parameter.default)
    missing = [n for n in names if n not in given]
    if missing:
        raise LaunchError(f"{signature.name} misses {', '.join(missing)}", hints=[f"give {missing[0]}=..."])
    return given


def statics_of(signature: Signature, given: Mapping[str, object]) -> dict[str, object]:
    """The static arguments among those given."""
    return {p.name: given[p.name] for p in signature.statics}


def bind(kernel: Kernel, signature: Signature, given: Mapping[str, object], axes: Mapping[str, int]) -> Bound:
    """Check every argument of one launch."""
    bound = Bound(axes=dict(checked_axes(kernel, axes)))
    for buffer in kernel.buffers:
        if buffer.role is not Role.OUT:
            name = buffer.variable.name
            bound.buffers[name] = array_argument(buffer, given[name], bound.axes)
    refuse_aliases(kernel, bound)
    for parameter in signature.scalars:
        bound.params[parameter.name] = parameter_value(parameter, given[parameter.name])
    for buffer in kernel.buffers:
        unknown = [a for a in buffer.axes if isinstance(a, str) and a not in bound.axes]
        if unknown:
            raise LaunchError(
                f"the size of axis {unknown[0]} of {buffer.variable.name} is not known",
                hints=[f"give it: axes={{'{unknown[0]}': 64}}"],
            )
    return bound


def refuse_aliases(kernel: Kernel, bound: Bound) -> None:
    """A resident array that is changed is given once: a device would read it while it is written."""
    for buffer in kernel.buffers:
        mine = bound.buffers.get(buffer.variable.name)
        other = next((n for n, a in bound.buffers.items() if a is mine and n != buffer.variable.name), None)
        if buffer.role is Role.INOUT and isinstance(mine, DeviceArray) and other is not None:
            raise LaunchError(
                f"{other} and {buffer.variable.name} are the same array, and the kernel writes one of them",
                hints=["copy the array first, or use one InOut parameter"],
            )


def checked_axes(kernel: Kernel, axes: Mapping[str, int]) -> Mapping[str, int]:
    named = {a for b in kernel.buffers for a in b.axes if isinstance(a, str)}
    if not isinstance(axes, Mapping):
        raise LaunchError(f"axes is a dict of sizes by name, not {axes!r}", hints=['write axes={"n": 64}'])
    for name, size in axes.items():
        if name not in named:
            raise LaunchError(
                f"{kernel.name} has no axis {name}", hints=[f"its axes are {', '.join(sorted(named))}"] if named else []
            )
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise LaunchError(
                f"the size of axis {name} is {size!r}, not an int from 0", hints=[f'write axes={{"{name}": 64}}']
            )
        if size > INTEGER_LIMITS[U32][1]:
            raise LaunchError(
                f"the size of axis {name} is {size}, which u32 does not hold", hints=["launch it in parts"]
            )
    return axes


def array_argument(buffer: Buffer, value: object, axes: dict[str, int]) -> NDArray[Any] | DeviceArray:
    """An array of the right dtype and shape; the sizes of its named axes are noted or compared."""
    name = buffer.variable.name
    if isinstance(value, DeviceArray):
        if value.element != buffer.element:
            raise LaunchError(
                f"{name} holds {buffer.element}, the array {value.element}", hints=["give sd.array its element type"]
            )
        value.check(name)
        note_axes(buffer, value.axes, axes)
        return value
    if not isinstance(value, np.ndarray):
        raise LaunchError(
            f"{name} is a numpy array or sd.array, not {type(value).__name__}",
            hints=[f"write np.asarray({name}, {dtype_spelling(buffer.element)})"],
        )
    if isinstance(value, np.ma.MaskedArray):
        raise LaunchError(
            f"{name} is a masked array, and a kernel sees no mask",
            hints=[f"give {name}.filled(0), or the mask beside it"],
        )
    array = cast("NDArray[Any]", value)
    wanted = base_dtype(buffer.element)
    if array.dtype != wanted:
        raise LaunchError(
            f"{name} holds {buffer.element}, so its dtype is {dtype_name(wanted)}, not {dtype_name(array.dtype, wanted)}",
            hints=dtype_hint(name, array.dtype, buffer.element),
        )
    inner = logical_shape(buffer.element)
    if array.ndim != len(buffer.axes) + len(inner) or (inner and array.shape[-len(inner) :] != inner):
        shape = ", ".join([*map(str, buffer.axes), *map(str, inner)])
        raise LaunchError(
            f"{name} has shape ({shape}), not {array.shape}",
            hints=[f"reshape it to {len(buffer.axes) + len(inner)} axes"],
        )
    note_axes(buffer, array.shape[: len(buffer.axes)], axes)
    return array


def dtype_name(dtype: np.dtype[Any], other: np.dtype[Any] | None = None) -> str:
    """A dtype's name; with its byte order where only that tells two apart."""
    if dtype.names:
        return "a structure" if other is None else "another structure"
    return dtype.str if other is not None and dtype.name == other.name else dtype.name


def dtype_spelling(element: Type) -> str:
    dtype = base_dtype(element)
    return f"sd.dtype({element})" if dtype.names else f"np.{dtype.name}"


def dtype_hint(name: str, given: np.dtype[Any], element: Type) -> list[str]:
    """How to convert, and what would be lost."""
    wanted = base_dtype(element)
    if wanted.names:
        return [f"make it with np.zeros(n, {dtype_spelling(element)})"]
    if given.itemsize > wanted.itemsize and given.kind in "iuf":
        return [f"write {name}.astype(np.{wanted.name}) if the values fit: {given.name} is not cut in silence"]
    return [f"write {name}.astype(np.{wanted.name})"]


def note_axes(buffer: Buffer, shape: tuple[int, ...], axes: dict[str, int]) -> None:
    """Each named axis has one size in a launch; a numbered axis has its number."""
    name = buffer.variable.name
    if len(shape) != len(buffer.axes):
        raise LaunchError(
            f"{name} has axes ({', '.join(map(str, buffer.axes))}), the array {len(shape)}", hints=["reshape the array"]
        )
    for axis, size in zip(buffer.axes, shape):
        if isinstance(axis, int):
            if size != axis:
                raise LaunchError(
                    f"an axis of {name} is {axis} long, not {size}",
                    hints=["pad the array, or name the axis: its size is then the array's"],
                )
        elif axes.setdefault(axis, size) != size:
            raise LaunchError(
                f"axis {axis} is {axes[axis]} elsewhere and {size} in {name}",
                hints=["give arrays of one size, or name the axes apart"],
            )


def parameter_value(parameter: ScalarParameter, value: object) -> Any:
    """A parameter as numpy, by the rule of Python numbers in kernels: ints exactly, floats rounded, nothing cut in silence."""
    name, kind = parameter.name, parameter.type
    if isinstance(kind, Scalar):
        plain: object = value.item() if isinstance(value, np.generic) else value  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return scalar_value(name, kind, plain)  # pyright: ignore[reportUnknownArgumentType]
    dtype = base_dtype(kind)
    try:
        array = np.asarray(value)
    except ValueError:
        raise LaunchError(
            f"{name} is {kind}, not a ragged list", hints=[f"its shape is {logical_shape(kind)}"]
        ) from None
    if isinstance(kind, Struct):
        if array.dtype != dtype or array.shape != ():
            raise LaunchError(f"{name} is one record of {kind}", hints=[f"make it with np.zeros((), sd.dtype({kind}))"])
        return array
    if array.shape != logical_shape(kind):
        raise LaunchError(
            f"{name} is {kind}, so its shape is {logical_shape(kind)}, not {array.shape}",
            hints=["give all components, as a list or an array"],
        )
    scalar = component(kind)
    flat = [scalar_value(name, scalar, item) for item in array.reshape(-1).tolist()]
    return np.array(flat, dtype).reshape(array.shape)


def component(type: Type) -> Scalar:
    while isinstance(type, Array):
        type = type.element  # noqa: A001
    scalar = getattr(type, "scalar", type)
    return cast(Scalar, scalar)


def scalar_value(name: str, kind: Scalar, value: object) -> Any:
    if kind == BOOL:
        if not isinstance(value, bool):
            raise LaunchError(f"{name} is a bool, not {value!r}", hints=[f"give bool({name})"])
        return np.uint32(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LaunchError(f"{name} is {kind}, not {value!r}", hints=["give a Python or numpy number"])
    if kind in FLOATS:
        return float_value(name, kind, value)
    low, high = INTEGER_LIMITS[kind]
    if not isinstance(value, int):
        raise LaunchError(f"{name} is {kind}, not the float {value!r}", hints=[f"give int({name})"])
    if not low <= value <= high:
        raise LaunchError(f"{name} is {value}, which does not fit {kind}", hints=[f"{kind} holds {low} to {high}"])
    return base_dtype(kind).type(value)


def float_value(name: str, kind: Scalar, value: float) -> Any:
    dtype = base_dtype(kind)
    with np.errstate(all="ignore"):
        try:
            rounded = dtype.type(float(value))
        except OverflowError:
            rounded = dtype.type(math.inf)
    if np.isinf(rounded) and not (isinstance(value, float) and math.isinf(value)):
        raise LaunchError(
            f"{name} is {value!r}, which is too large for {kind}", hints=["give math.inf if you mean infinity"]
        )
    if isinstance(value, int) and float(rounded) != value:
        raise LaunchError(
            f"{name} is {value}, which {kind} does not hold exactly", hints=[f"give {value}.0 to round it"]
        )
    return rounded
