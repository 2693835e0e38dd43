"""`sd.compile`: a function of tensors as a plan of few launches, made at the first call with new shapes.

@sd.compile
def layer(x, w):
    return ops.relu(ops.linear(x, w))

y = layer(x, w)             # numpy in, numpy out; resident arrays in, resident out
layer.dispatches            # 1
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import update_wrapper
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from shaderdsl.arguments import scalar_value
from shaderdsl.errors import GraphError, InternalError
from shaderdsl.execute import choose_device, located
from shaderdsl.graph.flatten import flatten
from shaderdsl.graph.grad import Skip, noting_skips
from shaderdsl.graph.nest import mapped, structure, walk
from shaderdsl.graph.plan import Planned, plan
from shaderdsl.graph.run import Shaders, run
from shaderdsl.graph.tensor import Scalar, Tensor, number_kind
from shaderdsl.lang.here import here
from shaderdsl.runtime.array import DeviceArray
from shaderdsl.schedule.step import STORED, TYPES
from shaderdsl.spec.notation import Dtype, TensorInput
from shaderdsl.tensor_arguments import numbers, tensor


@dataclass(frozen=True, slots=True)
class Traced:
    """A function traced for one set of shapes: its plan, the structure of its results, and which output each leaf of it is; edges without a gradient."""

    planned: Planned
    results: Any
    skipped: tuple[Skip, ...]
    shaders: Shaders = field(default_factory=Shaders)


class Plan:
    """A function of tensors, compiled. `dispatches`, `bytes` and `explain` speak of the call that was last."""

    def __init__(self, function: Callable[..., Any], *, device: str | None = None, fusion: bool = True) -> None:
        self._function = function
        self._device = device
        self._fusion = fusion
        self._traced: dict[Hashable, Traced] = {}
        self._last: Traced | None = None
        update_wrapper(self, function)

    def __call__(self, /, *arguments: Any, **named: Any) -> Any:
        """Run on arrays: numpy arrays give numpy arrays, resident ones of `sd.array` resident ones."""
        with located(here()):
            given = {**{str(n): a for n, a in enumerate(arguments)}, **named}
            leaves = dict(walk(given, ""))
            arrays = {n: kept(n, v) for n, v in leaves.items() if is_array(v)}
            numbers = {n: v for n, v in leaves.items() if not is_array(v) and number_kind(v) is not None}
            traced = self._trace(arguments, named, arrays, numbers, leaves)
            resident = [a for a in arrays.values() if isinstance(a, DeviceArray)]
            words = self._names(arguments, named)
            device = choose_device(self._device, resident)
            found = run(
                traced.planned,
                {words[n]: a for n, a in arrays.items()},
                {words[n]: scalar_value(words[n], TYPES[number_type(v)], plain(v)) for n, v in numbers.items()},
                device,
                traced.shaders,
                resident=bool(resident),
            )
        outputs = traced.planned.flat.results
        return mapped(traced.results, "", lambda _, name: found[outputs[name]] if isinstance(name, Result) else name)

    @property
    def dispatches(self) -> int:
        """The number of launches."""
        return len(self.planned.launches)

    @property
    def bytes(self) -> int:
        """What they read and write in memory."""
        return self.planned.bytes

    @property
    def planned(self) -> Planned:
        """The plan of the last call."""
        if self._last is None:
            raise GraphError(f"{self.__name__} has no plan yet", here(), hints=["call it once: a plan is for shapes"])
        return self._last.planned

    def _names(self, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, str]:
        """The leaves' paths by the names of the function's parameters."""
        code = getattr(self._function, "__code__", None)
        own = code.co_varnames[: code.co_argcount] if code is not None else ()
        words = {**{str(n): own[n] if n < len(own) else f"argument_{n}" for n in range(len(arguments))}}
        words |= {n: n for n in named}
        given = {**{str(n): a for n, a in enumerate(arguments)}, **named}
        return {
            path: identifier(words[key] + path.removeprefix(key))
            for key, value in given.items()
            for path, _ in walk(value, key)
        }

    def _trace(
        self,
        arguments: tuple[Any, ...],
        named: Mapping[str, Any],
        arrays: Mapping[str, Any],
        numbers: Mapping[str, Any],
        leaves: Mapping[str, Any],
    ) -> Traced:
        described = tuple(
            (n, array_key(arrays[n]) if n in arrays else number_type(v) if n in numbers else v)
            for n, v in leaves.items()
        )
        key = (structure(arguments), structure(dict(named)), described)
        if key not in self._traced:
            self._traced[key] = self._made(arguments, named, arrays, numbers)
        self._last = self._traced[key]
        return self._last

    def _made(
        self,
        arguments: tuple[Any, ...],
        named: Mapping[str, Any],
        arrays: Mapping[str, Any],
        numbers: Mapping[str, Any],
    ) -> Traced:
        words = self._names(arguments, named)

        def stand_in(path: str, value: Any) -> Any:
            if path in arrays:
                return Tensor.given(words[path], arrays[path].shape, dtype_of(arrays[path]))
            return Scalar.given(words[path], number_type(value)) if path in numbers else value

        positional = [mapped(a, str(n), stand_in) for n, a in enumerate(arguments)]
        by_name = {n: mapped(a, n, stand_in) for n, a in named.items()}
        with noting_skips() as skipped:
            results = self._function(*positional, **by_name)
        wanted: dict[str, Tensor] = {}

        def note(path: str, value: Any) -> Any:
            if not isinstance(value, Tensor):
                return value
            name = Result(path or "result")
            wanted[name] = value
            return name

        shape = mapped(results, "", note)
        flat = flatten(wanted, {words[n]: number_type(v) for n, v in numbers.items()})
        return Traced(plan(flat, fusion=self._fusion), shape, tuple(skipped))

    def __repr__(self) -> str:
        return f"<plan of {self.__name__}>"

    __name__: str


class Result(str):
    """The name of a result where its array goes."""


@overload
def compile(function: Callable[..., Any], /) -> Plan: ...  # noqa: A001 (the field's word)
@overload
def compile(  # noqa: A001
    *, device: str | None = None, fusion: bool = True
) -> Callable[[Callable[..., Any]], Plan]: ...
def compile(  # noqa: A001
    function: Callable[..., Any] | None = None, /, *, device: str | None = None, fusion: bool = True
) -> Plan | Callable[[Callable[..., Any]], Plan]:
    """A function of tensors as a plan. device: "wgpu", "dawn" or "interpreter", the best present if left out. fusion: else one launch a stage."""

    def make(plain_function: Callable[..., Any]) -> Plan:
        return Plan(plain_function, device=device, fusion=fusion)

    return make if function is None else make(function)


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
        return next(d for d, stored in STORED.items() if stored == value.element)
    kinds = {"f": Dtype.F32, "i": Dtype.I32, "u": Dtype.U32, "b": Dtype.BOOL}
    return kinds[numbers("the array", value).dtype.kind]


def array_key(value: Any) -> Hashable:
    return (tuple(value.shape), dtype_of(value))


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
