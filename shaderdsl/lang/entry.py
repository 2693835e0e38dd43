"""From a kernel's function to the IR: run it once with values that record what is done to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shaderdsl.errors import SignatureError, TraceError
from shaderdsl.ir import build
from shaderdsl.ir.expr import AddressSpace, Const, ReadParam, Variable
from shaderdsl.ir.kernel import ZERO, Buffer, Domain, DomainKind, Extent, Role, Uniform
from shaderdsl.ir.kernel import Kernel as IRKernel
from shaderdsl.ir.layout import uniform_members
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.types import BOOL, U32, Array, Atomic, Member, RuntimeArray, Struct, Type
from shaderdsl.lang.kernel import Kernel
from shaderdsl.lang.memory import Buffer as Buffered
from shaderdsl.lang.memory import In, InOut, Out
from shaderdsl.lang.resolve import definition_of, refuse_lies, refuse_rebound
from shaderdsl.lang.signature import (
    Binding,
    BufferParameter,
    ScalarParameter,
    Signature,
    StaticParameter,
    check_bindings,
)
from shaderdsl.lang.trace import Trace, tracing
from shaderdsl.lang.value import wrap

CLASSES: dict[Role, type[Buffered[Any]]] = {Role.IN: In, Role.OUT: Out, Role.INOUT: InOut}


@dataclass(frozen=True, slots=True)
class Options:
    """What `@sd.kernel(...)` says: workgroup size, entry point, where the uniform is bound, WGSL directives."""

    workgroup_size: tuple[int, int, int]
    entry_point: str
    uniform: Binding | None
    directives: tuple[str, ...]


def trace_kernel(
    function: Callable[..., Any], signature: Signature, options: Options, statics: Mapping[str, object]
) -> IRKernel:
    """The Kernel that `function` describes, for these static arguments."""
    check_bindings(signature, options.uniform)
    trace = Trace(signature.name, signature.loc, options.workgroup_size, params=uniform_types(signature))
    buffers = [(p, variable_of(p, signature), axes_of(p, statics, signature)) for p in signature.buffers]
    with tracing(trace) as scope:
        refuse_lies(trace, function)
        refuse_rebound(trace, function, [p.name for p in signature.buffers if p.role is not Role.IN])
        arguments = [argument(p, buffers, trace, statics) for p in signature.parameters]
        returned = function(Kernel(), *arguments)
        if returned is not None:
            raise TraceError(
                f"kernel {signature.name} returns a value", definition_of(function), hints=["store it in an Out buffer"]
            )
        body = trace.pop(scope)
    numbers = number_bindings([p.at for p, _, _ in buffers], options.uniform)
    return IRKernel(
        name=signature.name,
        entry_point=options.entry_point,
        workgroup_size=options.workgroup_size,
        buffers=tuple(
            Buffer(v, p.element, axes, p.role, at.group, at.binding, v in trace.written or holds_atomic(p.element))
            for (p, v, axes), at in zip(buffers, numbers)
        ),
        uniform=uniform(trace, signature, numbers[-1]),
        shared=tuple(trace.shared),
        functions=tuple(trace.functions.values()),
        body=body,
        domain=trace.domain or Domain(DomainKind.FREE),
        directives=options.directives,
        loc=signature.loc,
    )


def holds_atomic(type: Type) -> bool:
    """Whether an element holds an atomic: WGSL wants such memory read_write even where nothing touches it."""
    match type:
        case Atomic():
            return True
        case Array(element, _):
            return holds_atomic(element)
        case Struct(_, members, _):
            return any(holds_atomic(m.type) for m in members)
        case _:
            return False


def uniform_types(signature: Signature) -> dict[str, Type]:
    """Types of the scalar parameters as the uniform holds them: a bool travels as u32."""
    return {p.name: U32 if p.type == BOOL else p.type for p in signature.scalars}


def variable_of(parameter: BufferParameter, signature: Signature) -> Variable:
    return Variable(parameter.name, RuntimeArray(parameter.element), AddressSpace.STORAGE, signature.loc)


def axes_of(parameter: BufferParameter, statics: Mapping[str, object], signature: Signature) -> tuple[Extent, ...]:
    """The axes, with the names of static parameters replaced by their numbers."""
    axes: list[Extent] = []
    for axis in parameter.axes:
        value = statics.get(axis, axis) if isinstance(axis, str) else axis
        if not isinstance(value, str | int) or isinstance(value, bool) or (isinstance(value, int) and value < 1):
            raise SignatureError(
                f"axis {axis} of {parameter.name} is {value!r}, not a positive int",
                definition_of(signature.function, parameter.name),
                hints=["give a positive int"],
            )
        axes.append(value)
    return tuple(axes)


def argument(
    parameter: BufferParameter | ScalarParameter | StaticParameter,
    buffers: Sequence[tuple[BufferParameter, Variable, tuple[Extent, ...]]],
    trace: Trace,
    statics: Mapping[str, object],
) -> object:
    """What the kernel's function receives for a parameter."""
    match parameter:
        case StaticParameter(name):
            return statics[name]
        case ScalarParameter(name, type):
            if type != BOOL:
                return wrap(ReadParam(name, type, trace.loc))
            test = build.binary(BinaryOp.NE, ReadParam(name, U32, trace.loc), Const(0, U32, trace.loc), trace.loc)
            return wrap(trace.let(test, trace.loc, name=name))
        case BufferParameter(name, role):
            variable, axes = next((v, a) for p, v, a in buffers if p.name == name)
            return CLASSES[role](variable, axes, parameter.axes, trace.scope, role is not Role.IN)


def number_bindings(explicit: Sequence[Binding | None], uniform: Binding | None) -> list[Binding]:
    """Bindings of the buffers in order and, last, of the uniform: the user's where given, else the next free in group 0."""
    taken = {(b.group, b.binding) for b in (*explicit, uniform) if b is not None}
    result: list[Binding] = []
    number = 0
    for given in (*explicit, uniform):
        while given is None and (0, number) in taken:
            number += 1
        chosen = given or Binding(0, number)
        taken.add((chosen.group, chosen.binding))
        result.append(chosen)
    return result


def uniform(trace: Trace, signature: Signature, at: Binding) -> Uniform | None:
    """The uniform struct: the user's parameters, the axes that the text uses, and `zero` if something needs it."""
    axes = [a for a in trace.axes if a not in trace.params]
    members = [Member(name, kind) for name, kind in trace.params.items()] + [Member(a, U32) for a in axes]
    if trace.zero:
        members.append(Member(ZERO, U32))
    if not members:
        return None
    struct = Struct("Params", uniform_members(members))
    variable = Variable("params", struct, AddressSpace.UNIFORM, signature.loc)
    return Uniform(variable, struct, tuple(trace.params), tuple(axes), trace.zero, at.group, at.binding)
