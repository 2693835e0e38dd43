"""An op called on tensors: checked as a call on arrays would be, at the caller's line, and recorded instead of run.

record(softmax, (x,), {})       # a Tensor of the output's shape, or several by name
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shaderdsl.errors import GraphError, LaunchError
from shaderdsl.graph.nest import walk
from shaderdsl.graph.ones import with_ones, without_ones
from shaderdsl.graph.tensor import Call, Leaf, Scalar, Tensor, scalar_value
from shaderdsl.lang.here import here
from shaderdsl.operation import Op
from shaderdsl.spec import notation
from shaderdsl.spec.concrete import concrete, sizing
from shaderdsl.spec.dtypes import stage_dtypes
from shaderdsl.spec.notation import Dtype, Number, OpSpec, ScalarInput, TensorInput
from shaderdsl.tensor_arguments import assign, number, tensor


def record(operation: Op, positional: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """The tensors that a call gives, as the op would give arrays."""
    arguments = assign(operation.name, operation.inputs, positional, named, operation.saved)
    inputs = [i for i in operation.spec.inputs if i.name in arguments]
    tensors = {i.name: taken(i, arguments[i.name]) for i in inputs if isinstance(i, TensorInput)}
    made = operation.made_at({n: t.shape for n, t in tensors.items()})
    scalars = {i.name: passed(i, arguments[i.name]) for i in inputs if isinstance(i, ScalarInput)}
    if not made.ones:
        return operation.named(called(operation, made.spec, tensors, scalars), made.spec)
    narrow = {n: without_ones(t, made.ones[n]) if n in made.ones else t for n, t in tensors.items()}
    found = called(operation.plain(made), made.spec, narrow, scalars)
    return operation.named(
        {n: with_ones(t, made.ones[n]) if n in made.ones else t for n, t in found.items()}, made.spec
    )


def called(
    operation: Op, spec: OpSpec, tensors: Mapping[str, Tensor], scalars: Mapping[str, notation.Scalar]
) -> dict[str, Tensor]:
    """The outputs of one call of a spec."""
    found = concrete(spec, {n: t.shape for n, t in tensors.items()}, whole_numbers(operation, spec, scalars))
    call = Call(operation, found, tensors, scalars, here())
    dtypes = stage_dtypes(spec)
    return {n: Tensor(found.shapes[n], dtypes[n], call, n, call.loc) for n in spec.outputs}


def taken(given: TensorInput, value: Any) -> Tensor:
    """A tensor argument: a Tensor of that type, or an array, which becomes a constant of the graph."""
    if isinstance(value, list | tuple) and of_graph(value):
        raise GraphError(
            f"{given.name} is several tensors or numbers of the graph",
            here(),
            hints=["pass the plan one array, np.asarray(..), or stack tensors by an op"],
        )
    if not isinstance(value, Tensor):
        array = tensor(given, value)
        return Tensor(tuple(array.shape), given.dtype, Leaf(given.name, array), "", here())
    if value.kind is not given.dtype:
        raise LaunchError(
            f"{given.name} holds {given.dtype.value}, the tensor {value.name} {value.dtype}",
            hints=["convert it by an op: f32(x), i32(x) or u32(x) in its formula"],
        )
    return value


def passed(given: ScalarInput, value: Any) -> notation.Scalar:
    """A scalar argument as an expression."""
    if isinstance(value, Tensor):
        raise GraphError(
            f"{given.name} is a number, not the tensor {value.name}",
            hints=[f"make {given.name} a tensor of no axes in the formula: {given.name}[]"],
        )
    if not isinstance(value, Scalar):
        held = number(given, value)
        return Number(float(value)) if given.dtype is Dtype.F32 else Number(int(held))
    if given.dtype is not Dtype.F32 and value.kind is not given.dtype:
        raise LaunchError(f"{given.name} is {given.dtype.value}, not {value.kind.value}", hints=["pass a whole number"])
    return scalar_value(value, given.dtype)


def whole_numbers(operation: Op, spec: OpSpec, scalars: Mapping[str, notation.Scalar]) -> dict[str, int]:
    """The parameters that sizes are made of, which must be constants."""
    found: dict[str, int] = {}
    for name in sorted(sizing(spec)):
        value = scalars[name]
        if not isinstance(value, Number):
            raise GraphError(
                f"{name} of {operation.name} makes a size, so it is a constant of the graph",
                hints=[f"give {name} as a Python int from outside of the plan's arguments"],
            )
        found[name] = int(value.value)
    return found


def holds_tensors(arguments: Sequence[Any], named: Mapping[str, Any]) -> bool:
    """Whether a call builds a graph."""
    return any(of_graph(a) for a in (*arguments, *named.values()))


def of_graph(value: Any) -> bool:
    """Whether an argument is, or is a list of, what stands for something to be."""
    if isinstance(value, list | tuple):
        return any(isinstance(leaf, Tensor | Scalar) for _, leaf in walk(value, ""))
    return isinstance(value, Tensor | Scalar)
