"""A launch: arguments are checked by name, outputs made, the grid derived, and the kernel run on a device or interpreted."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shaderdsl.arguments import Bound, assign, bind, statics_of
from shaderdsl.debug import Collector, DebugLine, read_log
from shaderdsl.errors import DeviceError, GraphError, LaunchError, LimitError, TraceError
from shaderdsl.interp.host import host_value
from shaderdsl.interp.run import Report, interpret
from shaderdsl.ir.expr import Variable
from shaderdsl.ir.kernel import ZERO, Buffer, DomainKind, Kernel, Role
from shaderdsl.ir.types import U32, Type
from shaderdsl.lang.domain import tile_of
from shaderdsl.lang.here import here
from shaderdsl.lang.signature import Signature
from shaderdsl.lang.trace import CURRENT
from shaderdsl.numeric.host import (
    Memory,
    device_bytes,
    from_device,
    from_memory,
    logical_shape,
    member_array,
    struct_dtype,
    to_memory,
    zeros,
)
from shaderdsl.passes.debug import EMPTY, LOG_WORDS, debug_statements, write_debug
from shaderdsl.program import KernelProgram
from shaderdsl.runtime.array import DeviceArray, upload
from shaderdsl.runtime.buffers import DeviceBuffer
from shaderdsl.runtime.device import Backend, Device, backend_named, best_backend, open_device
from shaderdsl.runtime.launch import launch
from shaderdsl.runtime.limits import check_limits
from shaderdsl.source import Loc
from shaderdsl.wgsl.shader import Shader

INTERPRETER = "interpreter"
MOST = 2**32 - 2**17
Shaders: TypeAlias = Callable[[Backend], Shader]
WIDEST = 65535
"""Workgroups along one axis of a grid, WebGPU's default limit."""


@contextmanager
def located(loc: Loc) -> Generator[None]:
    """A bad argument, a missing device and a limit stand in the line that calls."""
    try:
        yield
    except (LaunchError, DeviceError, LimitError, GraphError) as error:
        error.loc = error.loc or loc
        raise


@dataclass(frozen=True, slots=True)
class Request:
    """What the caller said besides the arguments."""

    device: str | None
    groups: Sequence[int] | None
    axes: Mapping[str, int]
    debug: Callable[[DebugLine], object] | None = None


def choose_device(request: str | None, resident: Sequence[DeviceArray]) -> str:
    """The device's name: the arrays', the caller's, or the best present."""
    held = {a.device for a in resident}
    if len(held) > 1 or (held and request is not None and request not in held):
        raise LaunchError(
            f"arrays lie on {', '.join(sorted(held))}" + (f", the launch asks for {request}" if request else ""),
            hints=["move them: sd.array(x.numpy(), device=...)"],
        )
    if held:
        return held.pop()
    if request is not None:
        return INTERPRETER if request == INTERPRETER else backend_named(request).value
    best = best_backend()
    return INTERPRETER if best is None else best.value


def run(kernel: Kernel, shaders: Shaders, given: Mapping[str, object], signature: Signature, request: Request) -> Any:
    """Launch a kernel and give what it wrote: one array, or several by name."""
    bound = bind(kernel, signature, given, request.axes)
    name = choose_device(request.device, bound.resident)
    params = uniform_values(bound)
    groups = grid(kernel, params, request)
    collector = Collector(request.debug, {})
    if name == INTERPRETER:
        results = interpreted(kernel, bound, params, groups, collector.report)
    elif request.debug is None or not debug_statements(kernel):
        results = launched(shaders(Backend(name)), kernel, bound, params, groups, Backend(name))
    else:
        results = logged(shaders(Backend(name)), kernel, bound, params, groups, Backend(name), collector)
    collector.finish()
    return results if len(results) > 1 else next(iter(results.values()), None)


def uniform_values(bound: Bound) -> dict[str, Any]:
    """The uniform's fields for one launch; axes that the text does not use are here too, for the domain."""
    values: dict[str, Any] = dict(bound.params)
    values |= {axis: np.uint32(size) for axis, size in bound.axes.items()}
    values[ZERO] = np.uint32(0)
    return values


def grid(kernel: Kernel, params: Mapping[str, Any], request: Request) -> tuple[int, int, int]:
    """The workgroups to launch: from the domain, folded over x and y, or as the caller said."""
    domain = kernel.domain
    if domain.kind is DomainKind.FREE:
        return explicit_groups(kernel, request.groups)
    if request.groups is not None:
        raise LaunchError(f"{kernel.name} derives its grid from k.{domain.kind.value}", hints=["leave out groups="])
    lanes: dict[str, Memory] = {name: np.asarray(value)[np.newaxis] for name, value in params.items()}
    extents = [host_value(e, lanes) for e in domain.extents]
    tile = tile_of(domain.kind, kernel.workgroup_size, len(extents), kernel.loc)
    total = math.prod(-(-extent // size) for extent, size in zip(extents, tile))
    if total * (kernel.invocations if domain.kind is DomainKind.EACH else 1) > MOST:
        raise LaunchError(
            f"a domain of {' x '.join(map(str, extents))} has more points than a u32 counts",
            hints=["loop inside the kernel, or launch it in parts"],
        )
    return fold(total)


def fold(total: int) -> tuple[int, int, int]:
    """`total` workgroups on two axes of at most 65,535, as near to the total as rows allow."""
    if total <= WIDEST:
        return (total, 1, 1)
    rows = -(-total // WIDEST)
    return (-(-total // rows), rows, 1)


def explicit_groups(kernel: Kernel, groups: Sequence[int] | None) -> tuple[int, int, int]:
    if groups is None:
        raise LaunchError(
            f"{kernel.name} has no index domain", hints=["give groups=(x, y, z), or use k.each in the kernel"]
        )
    sizes: list[Any] = list(groups) if isinstance(groups, list | tuple) else [groups]
    if not 1 <= len(sizes) <= 3 or any(not isinstance(s, int) or isinstance(s, bool) or s < 0 for s in sizes):
        raise LaunchError(f"groups is one to three ints from 0, not {groups!r}", hints=["write groups=(x, y, z)"])
    x, y, z = [*sizes, 1, 1][:3]
    return (x, y, z)


def output_axes(buffer: Buffer, bound: Bound) -> tuple[int, ...]:
    return tuple(a if isinstance(a, int) else bound.axes[a] for a in buffer.axes)


def interpreted(
    kernel: Kernel,
    bound: Bound,
    params: Mapping[str, Any],
    groups: tuple[int, int, int],
    report: Report | None,
    order: Sequence[int] | None = None,
) -> dict[str, Any]:
    """Run on the interpreter; numpy in, numpy out, resident arrays stay. `order`: workgroups by number, in the order to run them."""
    storage: dict[Variable, Memory] = {}
    for buffer in kernel.buffers:
        storage[buffer.variable] = interpreter_memory(buffer, bound)
    lanes = {name: to_memory(np.asarray(value)[np.newaxis], param_type(kernel, name)) for name, value in params.items()}
    interpret(kernel, storage, lanes, groups, order=order, report=report)
    results: dict[str, Any] = {}
    for buffer in kernel.buffers:
        if buffer.role is Role.IN:
            continue
        axes = output_axes(buffer, bound)
        flat = from_memory(storage[buffer.variable], buffer.element, (math.prod(axes),))
        host = flat.reshape(*axes, *logical_shape(buffer.element))
        results[buffer.variable.name] = settle(buffer, bound, host)
    return results


def settle(buffer: Buffer, bound: Bound, host: NDArray[Any]) -> Any:
    """A result as the caller gets it: the given resident array, a new one among resident arrays, or numpy."""
    given = bound.buffers.get(buffer.variable.name)
    if isinstance(given, DeviceArray):
        given.host = host
        return given
    if bound.resident:
        return DeviceArray(buffer.element, output_axes(buffer, bound), INTERPRETER, None, host)
    return host


def param_type(kernel: Kernel, name: str) -> Type:
    member = kernel.uniform.struct.member(name) if kernel.uniform is not None else None
    return member.type if member is not None else U32


def interpreter_memory(buffer: Buffer, bound: Bound) -> Memory:
    """A private copy of an argument, or zeros for an output, as one flat axis of elements."""
    inner = logical_shape(buffer.element)
    given = bound.buffers.get(buffer.variable.name)
    if given is None:
        return zeros(buffer.element, (math.prod(output_axes(buffer, bound)),))
    host = given.host if isinstance(given, DeviceArray) else given
    return to_memory(np.asarray(host).reshape(-1, *inner), buffer.element)


def launched(
    shader: Shader,
    kernel: Kernel,
    bound: Bound,
    params: Mapping[str, Any],
    groups: tuple[int, int, int],
    backend: Backend,
) -> dict[str, Any]:
    """Run on a device; what is not resident goes up before and comes down after."""
    device = open_device(backend)
    check_limits(shader, device.limits)
    buffers: dict[str, DeviceBuffer] = {}
    try:
        for buffer in kernel.buffers:
            buffers[buffer.variable.name] = device_buffer(buffer, bound, device)
        launch(device, shader, buffers, uniform_bytes(kernel, params), groups)
        return {
            b.variable.name: device_result(b, bound, buffers, backend) for b in kernel.buffers if b.role is not Role.IN
        }
    finally:
        release(kernel, bound, buffers)


def logged(
    shader: Shader,
    kernel: Kernel,
    bound: Bound,
    params: Mapping[str, Any],
    groups: tuple[int, int, int],
    backend: Backend,
    collector: Collector,
) -> dict[str, Any]:
    """Run on a device with a log buffer beside the kernel's own, and read it."""
    with_log = write_debug(kernel)
    log = with_log.buffers[-1].variable.name
    empty = np.full(LOG_WORDS + 1, EMPTY, np.uint32)
    empty[0] = 0
    bound.buffers[log] = empty
    results = launched(shader, with_log, bound, params, groups, backend)
    words = results.pop(log)
    read_log(kernel, words.numpy() if isinstance(words, DeviceArray) else words, collector)
    return results


def device_buffer(buffer: Buffer, bound: Bound, device: Device) -> DeviceBuffer:
    given = bound.buffers.get(buffer.variable.name)
    if isinstance(given, DeviceArray) and given.buffer is not None:
        return given.buffer
    if given is None:
        size = device_bytes(buffer.element, math.prod(output_axes(buffer, bound)))
        return DeviceBuffer.allocate(device, size)
    return upload(np.asarray(given), buffer.element, device)


def device_result(buffer: Buffer, bound: Bound, buffers: Mapping[str, DeviceBuffer], backend: Backend) -> Any:
    given = bound.buffers.get(buffer.variable.name)
    if isinstance(given, DeviceArray):
        return given
    axes = output_axes(buffer, bound)
    found = buffers[buffer.variable.name]
    if bound.resident:
        return DeviceArray(buffer.element, axes, backend.value, found, None)
    return from_device(found.read(), buffer.element, axes)


def release(kernel: Kernel, bound: Bound, buffers: Mapping[str, DeviceBuffer]) -> None:
    """Free what this launch made and nobody keeps."""
    resident = {id(a.buffer) for a in bound.resident}
    for buffer in kernel.buffers:
        made = buffers.get(buffer.variable.name)
        kept = made is None or id(made) in resident or (buffer.role is not Role.IN and bound.resident)
        if made is not None and not kept:
            made.free()


def uniform_bytes(kernel: Kernel, params: Mapping[str, Any]) -> bytes | None:
    """The uniform struct's bytes, by the one layout engine."""
    if kernel.uniform is None:
        return None
    record = np.zeros((), struct_dtype(kernel.uniform.struct))
    given = [m for m in kernel.uniform.struct.members if m.name in params]  # what is not given is padding
    for member in given:
        member_array(record, member.name, member.type)[...] = params[member.name]
    content = record.tobytes()
    return content + bytes(-len(content) % 16)


def start(
    program: KernelProgram,
    arguments: Sequence[object],
    named: Mapping[str, object],
    *,
    device: str | None,
    groups: Sequence[int] | None,
    axes: Mapping[str, int],
    debug: Callable[[DebugLine], object] | None,
) -> Any:
    """What calling a kernel does."""
    loc = here()
    outer = CURRENT.get()
    if outer is not None:
        raise TraceError(
            f"kernel {program.signature.name} is launched inside {outer.name}",
            loc,
            hints=["launch one after the other on the host, or make the inner one an @sd.function"],
        )
    if debug is not None and not callable(debug):
        raise LaunchError(f"debug is called with each line, not {debug!r}", loc, hints=["write debug=print"])
    with located(loc):
        given = assign(program.signature, arguments, named)
        statics = statics_of(program.signature, given)
        kernel = program.trace(**statics)
        debugging = debug is not None and bool(debug_statements(kernel))

        def shaders(backend: Backend) -> Shader:
            return program.launched(backend.value, debugging, statics)

        return run(kernel, shaders, given, program.signature, Request(device, groups, axes, debug))
