"""Runs of one plan: on a device by its replay, which is kept for the next run, or interpreted.

runner = Runner(planned, "step");  runner.run(arguments, "wgpu")      # an array for each result, by its name in the graph
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from shaderdsl.execute import INTERPRETER
from shaderdsl.graph.check import check
from shaderdsl.graph.donate import How
from shaderdsl.graph.memory import Layout, apart_of, laid_out, lives_of, separate
from shaderdsl.graph.plan import Planned, plan
from shaderdsl.graph.replay import Replay
from shaderdsl.graph.run import Arguments, Arrays, Host, Interpreted, OnDevice, Shaders, stepped
from shaderdsl.graph.sharing import live, retargeted
from shaderdsl.numeric.values import DTYPES
from shaderdsl.runtime.array import DeviceArray, handed_over, upload
from shaderdsl.runtime.device import Backend, Device, open_device
from shaderdsl.schedule.step import STORED
from shaderdsl.spec.axes import reads_of
from shaderdsl.spec.notation import Dtype, TensorInput

Kind = tuple[frozenset[str], bool]
"""The arguments that are resident, and whether results are."""


NOTHING = Layout({}, {}, (), 0)


@dataclass(slots=True, eq=False)
class Runner:
    """name: the plan's, for messages. layout_last: that of the run that was last."""

    planned: Planned
    name: str
    shaders: Shaders = field(default_factory=Shaders)
    layouts: dict[Kind, Layout] = field(default_factory=dict[Kind, Layout])
    replays: dict[tuple[Device, Kind, bool], Replay] = field(default_factory=dict[tuple[Device, Kind, bool], Replay])
    layout_last: Layout = NOTHING

    def run(self, arguments: Arguments, device: str) -> dict[str, Host | DeviceArray]:
        """The results. Donated arguments are consumed, once the launches that update them are on their way."""
        for name, array in arguments.arrays.items():
            if isinstance(array, DeviceArray):
                array.check(name)
        self.planned.gathers.check_host({**self.planned.flat.constants, **arguments.numbers, **arguments.arrays})
        given = self.on_device(arguments, device)
        made = self.launched(given, device)
        found = {n: self.finished(n, made, given, device) for n in self.planned.flat.spec.outputs}
        self.consume(given, found)
        self.planned.gathers.check_found(found, lambda names: self.again(names, arguments, device))
        return found

    def again(self, names: Collection[str], arguments: Arguments, device: str) -> Mapping[str, Any] | None:
        """The values of tensors, computed again; None where an argument that they depend on was consumed."""
        flat = self.planned.gathers.flat
        part = live(retargeted(replace(flat, results={n: n for n in names}), flat.spec.stages, {}))
        used = {r.tensor for s in part.spec.stages for r in reads_of(s)} | set(names)
        if used & arguments.donated:
            return None
        arrays = {n: a for n, a in arguments.arrays.items() if n in used}
        inputs = tuple(i for i in part.spec.inputs if not isinstance(i, TensorInput) or i.name in used)
        part = replace(part, spec=replace(part.spec, inputs=inputs))
        runner = Runner(plan(part, known=frozenset(used)), self.name)
        found = runner.launched(Arguments(arrays, arguments.numbers), device)
        known = {**flat.constants, **arrays, **found}
        return {**arguments.numbers, **{n: np.asarray(known[n]) for n in names}}

    def on_device(self, arguments: Arguments, device: str) -> Arguments:
        """The arguments with those that are donated on the device."""
        if not arguments.donated:
            return arguments
        arrays = dict(arguments.arrays)
        flat = self.planned.flat
        for name in arguments.donated:
            arrays[name] = resident(arrays[name], flat.dtypes[name], device)
        return Arguments(arrays, arguments.numbers, arguments.donated)

    def launched(self, arguments: Arguments, device: str) -> dict[str, Host | DeviceArray]:
        """What the launches make."""
        kind = (frozenset(n for n, a in arguments.arrays.items() if isinstance(a, DeviceArray)), arguments.resident)
        layout = self.layout_last = self.layout(kind)
        if device == INTERPRETER:
            return stepped(self.planned, arguments, Interpreted())
        opened = open_device(Backend(device))
        if not layout.packed:
            return stepped(self.planned, arguments, OnDevice(opened, self.shaders))
        return self.replay(opened, kind, layout).run(arguments)

    def layout(self, kind: Kind) -> Layout:
        """Where tensors lie that a run does not bring along."""
        if kind not in self.layouts:
            lives = self.lives(kind)
            self.layouts[kind] = laid_out(lives, apart_of(self.planned.launches, lives))
            check(self.planned, self.layouts[kind])
        return self.layouts[kind]

    def lives(self, kind: Kind) -> dict[str, Any]:
        planned = self.planned
        given, stays = kind
        hosted = [n for n in planned.made if n in planned.faults or not (stays or n in planned.takes)]
        outside = {*given, *planned.flat.constants, *planned.made} - set(hosted)
        inputs = [i.name for i in planned.flat.spec.inputs if i.name in planned.last]
        sizes = {n: max(planned.size(n), 4) for n in planned.last if n not in outside}
        return lives_of(planned.launches, sizes, inputs, planned.made)

    def replay(self, device: Device, kind: Kind, layout: Layout) -> Replay:
        """What was made ready for runs of this kind. With guards, each tensor has a buffer that they can stand around."""
        key = (device, kind, device.guards is not None)
        if key not in self.replays:
            self.replays = {k: r for k, r in self.replays.items() if not k[0].lost}
            where = layout if device.guards is None else separate(layout.lives)
            self.replays[key] = Replay.of(self.planned, device, where, self.shaders)
        return self.replays[key]

    def finished(self, name: str, made: Arrays, arguments: Arguments, device: str) -> Host | DeviceArray:
        """A result as the caller gets it: conditions as bool, arguments as copies, and what nothing has made is empty."""
        flat = self.planned.flat
        dtype = flat.dtypes[name]
        if name in made:
            found = made[name]
        elif name in self.planned.takes:
            return arguments.arrays[name]
        else:
            found = self.given(name, arguments)
            if arguments.resident:
                return found.copy() if isinstance(found, DeviceArray) else resident(found, dtype, device)
            found = np.array(found)
        return found.astype(np.bool_) if dtype is Dtype.BOOL and not isinstance(found, DeviceArray) else found

    def given(self, name: str, arguments: Arguments) -> Host | DeviceArray:
        """An argument or a constant, or an array of no elements."""
        flat = self.planned.flat
        known = {**flat.constants, **arguments.arrays}
        return known[name] if name in known else np.zeros(tuple(flat.shapes[name]), DTYPES[STORED[flat.dtypes[name]]])

    def consume(self, arguments: Arguments, found: dict[str, Host | DeviceArray]) -> None:
        """Mark donated arrays as consumed. Memory that no result took over is free."""
        for name, take in self.planned.takes.items():
            old = arguments.arrays[take.argument]
            if not isinstance(old, DeviceArray):
                continue
            handed = handed_over(old, self.name)
            if take.how is How.KEEP:
                found[name] = handed

    def free(self) -> None:
        for replay in self.replays.values():
            replay.free()
        self.replays.clear()


def resident(array: Host | DeviceArray, dtype: Dtype, device: str) -> DeviceArray:
    """An array on the device."""
    if isinstance(array, DeviceArray):
        return array
    element, shape = STORED[dtype], tuple(array.shape)
    if device == INTERPRETER:
        return DeviceArray(element, shape, INTERPRETER, None, np.array(array, DTYPES[element]))
    return DeviceArray(element, shape, device, upload(array, element, open_device(Backend(device))), None)
