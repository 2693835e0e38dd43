"""Launches: a shader, buffers by name, a grid; checked first, compiled once, submitted inside an error scope.

    launch(device, shader, {"x": x, "y": y}, uniform=packed, groups=(40, 1, 1))

Nothing reaches the driver that it would refuse with a message of its own: limits, sizes, aliases and freed buffers are checked by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from shaderdsl.errors import DeviceError, InternalError, LaunchError, LimitError
from shaderdsl.runtime.buffers import COPY_TARGET, UNIFORM, DeviceBuffer, padded
from shaderdsl.runtime.device import Device
from shaderdsl.runtime.limits import check_limits
from shaderdsl.runtime.native import RawBuffer
from shaderdsl.runtime.scope import error_scope
from shaderdsl.wgsl.shader import Binding, BindingKind, Shader

COMPUTE_STAGE = 4
AXES = "xyz"


@dataclass(frozen=True, slots=True, eq=False)
class Pipeline:
    """A compiled entry point: one bind group layout for each group, and the buffer that each uniform binding is written to."""

    raw: object
    layouts: tuple[object, ...]
    uniforms: Mapping[str, RawBuffer]


def launch(
    device: Device,
    shader: Shader,
    buffers: Mapping[str, DeviceBuffer],
    uniform: bytes | None,
    groups: tuple[int, int, int],
) -> None:
    """Run `groups` workgroups. `uniform` goes to the shader's uniform binding. Returns when the work is queued; `download` waits for it."""
    check_groups(device, groups)
    check_buffers(device, shader, buffers)
    check_uniform(shader, uniform)
    if 0 in groups:
        return
    pipeline = pipeline_of(device, shader)
    with error_scope(device, f"a launch of {shader.entry_point!r}", shader.lines):
        for raw in pipeline.uniforms.values():
            device.raw.queue.write_buffer(raw, 0, np.frombuffer(whole_words(uniform or b""), np.uint8))
        encoder = device.raw.create_command_encoder()
        encoding = encoder.begin_compute_pass()
        encoding.set_pipeline(pipeline.raw)
        for index, layout in enumerate(pipeline.layouts):
            entries = [
                entry(binding, buffers, pipeline.uniforms) for binding in shader.bindings if binding.group == index
            ]
            encoding.set_bind_group(index, device.raw.create_bind_group(layout=layout, entries=entries))
        encoding.dispatch_workgroups(*groups)
        encoding.end()
        device.raw.queue.submit([encoder.finish()])


def pipeline_of(device: Device, shader: Shader) -> Pipeline:
    """The pipeline of exactly this text, entry point, layout and needs, compiled on first use on this device."""
    layout = tuple((b.name, b.group, b.binding, b.kind, b.size) for b in shader.bindings)
    needs = (shader.workgroup_size, shader.shared_bytes, shader.requires)
    key = (sha256(shader.text.encode()).digest(), shader.entry_point, layout, needs)
    with device.lock:
        found = device.pipelines.get(key)
        if isinstance(found, Pipeline):
            return found
        made = device.pipelines[key] = compile_pipeline(device, shader)
        return made


def compile_pipeline(device: Device, shader: Shader) -> Pipeline:
    """Module, explicit layouts and pipeline, once the shader fits the device."""
    check_limits(shader, device.limits)
    check_features(device, shader)
    raw = device.raw
    with error_scope(device, f"the WGSL of {shader.entry_point!r}", shader.lines):
        module = raw.create_shader_module(code=shader.text)
    with error_scope(device, f"the pipeline of {shader.entry_point!r}", shader.lines):
        count = 1 + max((b.group for b in shader.bindings), default=-1)
        layouts = [
            raw.create_bind_group_layout(entries=[described(b) for b in shader.bindings if b.group == i])
            for i in range(count)
        ]
        layout = raw.create_pipeline_layout(bind_group_layouts=layouts)
        pipeline = raw.create_compute_pipeline(
            layout=layout, compute={"module": module, "entry_point": shader.entry_point}
        )
        return Pipeline(pipeline, tuple(layouts), uniform_buffers(device, shader))


def described(binding: Binding) -> dict[str, object]:
    """A bind group layout's entry."""
    return {
        "binding": binding.binding,
        "visibility": COMPUTE_STAGE,
        "buffer": {"type": binding.kind.value, "min_binding_size": padded(binding.size)},
    }


def uniform_buffers(device: Device, shader: Shader) -> dict[str, RawBuffer]:
    """One small buffer for each uniform binding: writes are ordered with submissions, so launches can share it."""
    uniforms = [b for b in shader.bindings if b.kind is BindingKind.UNIFORM]
    return {
        b.name: device.raw.create_buffer(size=(b.size + 15) // 16 * 16, usage=UNIFORM | COPY_TARGET) for b in uniforms
    }


def entry(
    binding: Binding, buffers: Mapping[str, DeviceBuffer], uniforms: Mapping[str, RawBuffer]
) -> dict[str, object]:
    """A bind group's entry: the bytes that hold data, so that arrayLength is right and stores cannot reach the padding; with guards, those behind
    the data too, so that a store there arrives."""
    if binding.kind is BindingKind.UNIFORM:
        raw = uniforms[binding.name]
        return {"binding": binding.binding, "resource": {"buffer": raw, "offset": 0, "size": raw.size}}
    buffer = buffers[binding.name]
    return {
        "binding": binding.binding,
        "resource": {
            "buffer": buffer.raw,
            "offset": buffer.guard,
            "size": bound_size(binding, buffer) + buffer.guard,
        },
    }


def bound_size(binding: Binding, buffer: DeviceBuffer) -> int:
    """Bytes to bind: the data in whole words, and at least what the declaration needs."""
    return max(padded(buffer.size), padded(binding.size), 4)


def whole_words(content: bytes) -> bytes:
    return content + bytes(-len(content) % 4)


def check_features(device: Device, shader: Shader) -> None:
    missing = sorted(shader.requires - device.features)
    if missing:
        raise DeviceError(
            f"{device.adapter.summary} has no {' and no '.join(missing)}",
            hints=[
                "choose another device, or write the kernel without (f32 in place of f16, group in place of subgroup collectives)"
            ],
        )


def check_groups(device: Device, groups: tuple[int, int, int]) -> None:
    most = device.limits["max-compute-workgroups-per-dimension"]
    for axis, count in zip(AXES, groups, strict=True):
        if count < 0:
            raise LaunchError(f"{count} workgroups on axis {axis}", hints=["a grid counts from 0"])
        if count > most:
            raise LaunchError(
                f"{count} workgroups on axis {axis}, the limit is {most}",
                hints=["fold the grid over two axes, as k.each_group does"],
            )


def check_uniform(shader: Shader, uniform: bytes | None) -> None:
    """The packed bytes must be what the uniform binding declares: ours to get right, never the user's."""
    declared = [b for b in shader.bindings if b.kind is BindingKind.UNIFORM]
    if len(declared) > 1:
        raise InternalError(f"{shader.entry_point} has {len(declared)} uniform bindings, a launch fills one")
    have = len(uniform or b"")
    if have != sum(b.size for b in declared):
        raise InternalError(f"{shader.entry_point}: {have} uniform bytes for {[(b.name, b.size) for b in declared]}")


def check_buffers(device: Device, shader: Shader, buffers: Mapping[str, DeviceBuffer]) -> None:
    """Each storage binding has its own live buffer, of this device, large enough and not too large."""
    storage = [b for b in shader.bindings if b.kind is not BindingKind.UNIFORM]
    known = {b.name for b in storage}
    for name in buffers:
        if name not in known:
            raise LaunchError(
                f"{shader.entry_point!r} has no buffer {name!r}",
                hints=["its buffers are " + (", ".join(sorted(known)) or "none")],
            )
    for binding in storage:
        if binding.name not in buffers:
            raise LaunchError(
                f"{shader.entry_point!r} needs a buffer {binding.name!r}",
                hints=[f"pass {binding.name}, of type {binding.type}"],
            )
        check_buffer(device, binding, buffers[binding.name])
    check_aliases(storage, buffers)


def check_buffer(device: Device, binding: Binding, buffer: DeviceBuffer) -> None:
    buffer.check(binding.name)
    if buffer.device is not device:
        raise LaunchError(
            f"buffer {binding.name!r} is on another device", hints=["upload it to the device of the launch"]
        )
    size, most = bound_size(binding, buffer), device.limits["max-storage-buffer-binding-size"]
    if size > buffer.capacity:
        raise LaunchError(
            f"buffer {binding.name!r} has {buffer.capacity} bytes, {binding.type} needs {size}",
            hints=["upload the whole value"],
        )
    if size > most:
        raise LimitError(
            f"buffer {binding.name!r} is {size} bytes, {size - most} more than the {most} that can be bound",
            hints=["split the array into chunks"],
        )


def check_aliases(storage: list[Binding], buffers: Mapping[str, DeviceBuffer]) -> None:
    """A buffer that is written may be bound once only; one that is read may be bound as often as one likes."""
    for index, first in enumerate(storage):
        for second in storage[index + 1 :]:
            if buffers[first.name] is buffers[second.name] and BindingKind.READ_WRITE in (first.kind, second.kind):
                raise LaunchError(
                    f"{first.name!r} and {second.name!r} are the same buffer, and the kernel writes one of them",
                    hints=["copy the array first, or use one InOut parameter"],
                )
