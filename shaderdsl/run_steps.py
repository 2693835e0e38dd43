"""Launches of a plan, one after the other: on a device, with all in between staying there, or interpreted.

run_steps(compiled, Given(arrays, scalars, sizes), "wgpu", ("y",))     # a host array or a resident one for each output

Indices of gathers are checked first where the host has them, else by a kernel whose finding is read at the end.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from shaderdsl.corridor import lower
from shaderdsl.errors import InternalError, LaunchError
from shaderdsl.execute import INTERPRETER, MOST, fold, uniform_bytes
from shaderdsl.interp.run import interpret
from shaderdsl.ir.expr import Variable
from shaderdsl.ir.kernel import ZERO, Kernel
from shaderdsl.numeric.host import Memory
from shaderdsl.numeric.values import DTYPES
from shaderdsl.runtime.array import DeviceArray, upload
from shaderdsl.runtime.buffers import DeviceBuffer
from shaderdsl.runtime.device import Backend, Device, open_device
from shaderdsl.runtime.launch import launch
from shaderdsl.schedule.gathers import check_on_host
from shaderdsl.schedule.sizes import Quantity, Tensor, size_value
from shaderdsl.schedule.step import FAULT, STORED, WIDTH, Step
from shaderdsl.spec.notation import Dtype, OpSpec
from shaderdsl.spec.shapes import Sizes
from shaderdsl.wgsl.module import Dialect, emit
from shaderdsl.wgsl.shader import Shader

Host = NDArray[Any]
NO_FAULT = 0xFFFFFFFF


@dataclass(slots=True, eq=False)
class Compiled:
    """A step with its shaders, each made when it is first needed."""

    step: Step
    shaders: dict[Dialect, Shader] = field(default_factory=dict[Dialect, Shader])

    def shader(self, dialect: Dialect) -> Shader:
        if dialect not in self.shaders:
            self.shaders[dialect] = emit(lower(self.step.kernel), dialect)
        return self.shaders[dialect]


@dataclass(frozen=True, slots=True)
class Plan:
    """A spec for arguments of known ranks, its steps, and the types of all its tensors."""

    spec: OpSpec
    steps: tuple[Compiled, ...]
    dtypes: Mapping[str, Dtype]


@dataclass(frozen=True, slots=True)
class Given:
    """Arguments of one call: tensors by name, scalars as the uniform holds them, and what the shapes make of the sizes."""

    arrays: Mapping[str, Host | DeviceArray]
    scalars: Mapping[str, Any]
    sizes: Sizes


class Memories(Protocol):
    """Where the tensors of a call lie."""

    def give(self, name: str, dtype: Dtype, array: Host | DeviceArray) -> None: ...
    def make(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> None: ...
    def launch(self, compiled: Compiled, names: Mapping[str, str], params: Mapping[str, Any], groups: int) -> None: ...
    def host(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> Host: ...
    def resident(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> DeviceArray: ...
    def free(self, kept: Sequence[str]) -> None: ...


@dataclass(slots=True, eq=False)
class OnDevice:
    """Buffers of a device; those of resident arguments are borrowed."""

    device: Device
    buffers: dict[str, DeviceBuffer] = field(default_factory=dict[str, DeviceBuffer])
    borrowed: set[str] = field(default_factory=set[str])

    def give(self, name: str, dtype: Dtype, array: Host | DeviceArray) -> None:
        if isinstance(array, DeviceArray):
            if array.buffer is None:
                raise InternalError(f"{name} lies on no device")
            self.buffers[name] = array.buffer
            self.borrowed.add(name)
        else:
            self.buffers[name] = upload(array, STORED[dtype], self.device)

    def make(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> None:
        del dtype  # every element is a word
        self.buffers[name] = DeviceBuffer.allocate(self.device, 4 * math.prod(shape))

    def launch(self, compiled: Compiled, names: Mapping[str, str], params: Mapping[str, Any], groups: int) -> None:
        dialect = Dialect.TINT if self.device.backend is Backend.DAWN else Dialect.NAGA
        uniform = uniform_bytes(compiled.step.kernel, params)
        bound = {n: self.buffers[own] for n, own in names.items()}
        launch(self.device, compiled.shader(dialect), bound, uniform, fold(groups))

    def host(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> Host:
        return self.buffers[name].download(DTYPES[STORED[dtype]], shape)

    def resident(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> DeviceArray:
        return DeviceArray(STORED[dtype], shape, self.device.backend.value, self.buffers[name], None)

    def free(self, kept: Sequence[str]) -> None:
        for name, buffer in self.buffers.items():
            if name not in kept and name not in self.borrowed:
                buffer.free()


@dataclass(slots=True, eq=False)
class Interpreted:
    """Flat numpy arrays."""

    arrays: dict[str, Host] = field(default_factory=dict[str, Host])

    def give(self, name: str, dtype: Dtype, array: Host | DeviceArray) -> None:
        del dtype  # numpy knows
        host = array.host if isinstance(array, DeviceArray) else array
        if host is None:
            raise InternalError(f"{name} is not in host memory")
        self.arrays[name] = host.reshape(-1).copy()

    def make(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> None:
        self.arrays[name] = np.zeros(math.prod(shape), DTYPES[STORED[dtype]])

    def launch(self, compiled: Compiled, names: Mapping[str, str], params: Mapping[str, Any], groups: int) -> None:
        kernel = compiled.step.kernel
        storage: dict[Variable, Memory] = {b.variable: self.arrays[names[b.variable.name]] for b in kernel.buffers}
        lanes: dict[str, Memory] = {n: np.asarray(v)[np.newaxis] for n, v in params.items()}
        interpret(kernel, storage, lanes, fold(groups))

    def host(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> Host:
        del dtype  # numpy knows
        return self.arrays[name].reshape(shape)

    def resident(self, name: str, dtype: Dtype, shape: tuple[int, ...]) -> DeviceArray:
        return DeviceArray(STORED[dtype], shape, INTERPRETER, None, self.host(name, dtype, shape))

    def free(self, kept: Sequence[str]) -> None:
        pass


def run_steps(plan: Plan, given: Given, device: str, outputs: Sequence[str]) -> dict[str, Host | DeviceArray]:
    """Run a plan. Outputs are resident where some argument is."""
    check_nonempty(plan, given.sizes)
    unchecked = check_known_gathers(plan, given)
    memories: Memories = Interpreted() if device == INTERPRETER else OnDevice(open_device(Backend(device)))
    resident = any(isinstance(a, DeviceArray) for a in given.arrays.values())
    kept: list[str] = []
    try:
        for name, array in given.arrays.items():
            memories.give(name, plan.dtypes[name], array)
        for compiled in plan.steps:
            if compiled.step.check is None or compiled in unchecked:
                run_step(compiled, plan, given, memories)
        for compiled in unchecked:
            check_fault(compiled, plan, given, memories)
        found = {n: result(n, plan, given.sizes, memories, resident=resident) for n in outputs}
        kept += [n for n in outputs if resident]
        return found
    finally:
        memories.free(kept)


def checking(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps that check indices, and those that make what they read."""
    needed: set[str] = set()
    kept: list[Step] = []
    for step in reversed(steps):
        if step.check is not None or needed & {t.name for t in step.made}:
            kept.append(step)
            needed |= set(step.reads)
    return tuple(reversed(kept))


def run_checks(plan: Plan, given: Given, device: str) -> None:
    """Run the checks of a plan that has nothing else to give."""
    unchecked = check_known_gathers(plan, given)
    if not unchecked:
        return
    memories: Memories = Interpreted() if device == INTERPRETER else OnDevice(open_device(Backend(device)))
    needed = {n for compiled in plan.steps for n in compiled.step.reads}
    try:
        for name in needed & set(given.arrays):
            memories.give(name, plan.dtypes[name], given.arrays[name])
        for compiled in plan.steps:
            if compiled.step.check is None or compiled in unchecked:
                run_step(compiled, plan, given, memories)
        for compiled in unchecked:
            check_fault(compiled, plan, given, memories)
    finally:
        memories.free(())


def result(name: str, plan: Plan, sizes: Sizes, memories: Memories, *, resident: bool) -> Host | DeviceArray:
    """An output as the caller gets it: conditions as bool."""
    dtype, shape = plan.dtypes[name], tuple(sizes.shapes[name])
    if resident:
        return memories.resident(name, dtype, shape)
    host = memories.host(name, dtype, shape)
    return host.astype(np.bool_) if dtype is Dtype.BOOL else host


def fault_name(compiled: Compiled, plan: Plan) -> str:
    return f"{FAULT}_{plan.steps.index(compiled)}"


def run_step(compiled: Compiled, plan: Plan, given: Given, memories: Memories) -> None:
    """Allocate what a step makes, and launch it."""
    step, sizes = compiled.step, given.sizes
    for tensor in step.made:
        memories.make(tensor.name, tensor.dtype, shape_of(tensor, sizes))
    names = {n: n for n in (*step.reads, *(t.name for t in step.made))}
    if step.check is not None:
        names[FAULT] = fault_name(compiled, plan)
        memories.give(names[FAULT], Dtype.U32, np.full(1, NO_FAULT, np.uint32))
    points = count(step.points, sizes)
    if points > MOST:
        raise LaunchError(
            f"{step.kernel.name} has {points} elements, more than a u32 counts", hints=["split the arrays"]
        )
    if points:
        memories.launch(compiled, names, params_of(step.kernel, step, given), -(-points // WIDTH))


def shape_of(tensor: Tensor, sizes: Sizes) -> tuple[int, ...]:
    return tuple(size_value(q, sizes) for q in tensor.axes)


def params_of(kernel: Kernel, step: Step, given: Given) -> dict[str, Any]:
    """The uniform's fields."""
    if kernel.uniform is None:
        return {}
    found = {n: given.scalars[n] for n in kernel.uniform.params}
    found |= {n: np.uint32(size_value(step.sizes[n], given.sizes)) for n in kernel.uniform.axes}
    return found | {ZERO: np.uint32(0)}


def check_nonempty(plan: Plan, sizes: Sizes) -> None:
    """Nothing has no greatest element."""
    for compiled in plan.steps:
        rule, step = compiled.step.nonempty, compiled.step
        if rule is not None and count(step.points, sizes) and not count(rule.over, sizes):
            raise LaunchError(f"{rule.target} is the {rule.word} of nothing", hints=["pass axes that are not empty"])


def count(axes: Sequence[Quantity], sizes: Sizes) -> int:
    return math.prod(size_value(q, sizes) for q in axes)


def check_known_gathers(plan: Plan, given: Given) -> list[Compiled]:
    """Check what the host can; the checks that are left to kernels."""
    left: list[Compiled] = []
    for compiled in plan.steps:
        checked = compiled.step.check
        if checked is None:
            continue
        known = {n: a for n in checked.tensors if isinstance(a := given.arrays.get(n), np.ndarray)}
        if len(known) == len(checked.tensors):
            check_on_host(plan.spec, plan.dtypes, checked, given.sizes, {**given.scalars, **known})
        else:
            left.append(compiled)
    return left


def check_fault(compiled: Compiled, plan: Plan, given: Given, memories: Memories) -> None:
    """Read what a check has found; where it has, the host looks again and says where."""
    checked, sizes = compiled.step.check, given.sizes
    if checked is None or int(memories.host(fault_name(compiled, plan), Dtype.U32, (1,))[0]) == NO_FAULT:
        return
    arrays = {n: memories.host(n, plan.dtypes[n], tuple(sizes.shapes[n])) for n in checked.tensors}
    check_on_host(plan.spec, plan.dtypes, checked, sizes, {**given.scalars, **arrays})
    raise InternalError(f"{compiled.step.kernel.name} found an index that the host finds inside")
