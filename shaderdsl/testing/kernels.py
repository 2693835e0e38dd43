"""A hand-written kernel with its hand-written backward: no formula says what it means, so its own differences do.

    check_kernel(square, square_backward, 0, "interpreter", {}).ok

Differences of float32 are coarse: two central ones, extrapolated, which shows what is wrong by a few thousandths.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from shaderdsl.errors import LaunchError
from shaderdsl.ir.kernel import Role
from shaderdsl.ir.types import F32
from shaderdsl.lang.signature import BufferParameter, Signature
from shaderdsl.testing.handwritten import Held
from shaderdsl.testing.report import Check, Report
from shaderdsl.testing.samples import Array, normal

STEP, COARSE = 2.0**-5, 4e-3
"""How far arguments are moved, and what gradients may be off, of the largest."""
SIZES = (3, 2, 4)
POINTS = 3
INTERPRETER = "interpreter"


def check_kernel(f: Any, backward: Any, seed: int, device: str | None, inputs: Mapping[str, Any]) -> Report:
    """The backward of a kernel against differences of the kernel."""
    signature: Signature = f.signature
    where = device or INTERPRETER
    names = [b.name for b in signature.buffers if b.role is Role.IN and b.element == F32]
    check_forward(signature, backward, names, inputs)
    worst = 0.0
    for number in range(POINTS):
        random = np.random.default_rng((seed, number))
        arguments = drawn(signature, random, inputs, number)
        weights = {o: normal(random, v.shape) for o, v in results(f, signature, arguments, where).items()}
        held = Held(backward, names, where)
        incoming = {f"d_{o}": np.float32(w) for o, w in weights.items()}
        found = held.called({**arguments, **incoming})
        moved = Forward(f, signature, where, weights)
        worst = max([worst, *(share(found[n], slopes(moved.loss, arguments, n)) for n in names)])
    check = Check("differences of the kernel", worst, 1.0, "the gradient is not the slope")
    return Report(signature.name, "", "", (check,))


def check_forward(signature: Signature, backward: Any, names: list[str], inputs: Mapping[str, Any]) -> None:
    """What has to be known of a kernel."""
    if backward is None:
        raise LaunchError(
            f"{signature.name} is a kernel, from which no backward is derived",
            hints=[f"pass yours: sd.gradcheck({signature.name}, backward=...)"],
        )
    if not names or any(b.role is Role.INOUT for b in signature.buffers):
        raise LaunchError(
            f"{signature.name} has no gradients to check", hints=["a kernel reads sd.In[f32] and writes sd.Out[f32]"]
        )
    unknown = next((n for n in inputs if n not in [p.name for p in signature.parameters]), None)
    if unknown is not None:
        raise LaunchError(f"{signature.name} has no input {unknown}", hints=["pass inputs by the names of the kernel"])
    missing = next((p.name for p in signature.parameters if needed(p) and p.name not in inputs), None)
    if missing is not None:
        raise LaunchError(f"{missing} is not drawn, as nobody says what it may be", hints=[f"pass {missing}=..."])


def needed(parameter: Any) -> bool:
    """Whether a parameter is neither drawn nor written."""
    if isinstance(parameter, BufferParameter):
        return parameter.role is Role.IN and parameter.element != F32
    return not getattr(parameter, "has_default", False)


def drawn(signature: Signature, random: np.random.Generator, inputs: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Arrays for all that is read; axes of one name are equally long."""
    sizes: dict[Any, int] = {}
    for buffer in signature.buffers:
        if buffer.name in inputs:
            sizes |= dict(zip(buffer.axes, np.shape(inputs[buffer.name])))
    found = dict(inputs)
    for buffer in signature.buffers:
        if buffer.role is Role.IN and buffer.name not in found:
            shape = [
                a if isinstance(a, int) else sizes.setdefault(a, SIZES[(number + len(sizes)) % len(SIZES)])
                for a in buffer.axes
            ]
            found[buffer.name] = np.float32(np.abs(normal(random, tuple(shape))) + 0.5)
    return found


def results(f: Any, signature: Signature, arguments: Mapping[str, Any], device: str) -> dict[str, Array]:
    """What the kernel writes, by name."""
    outs = [b.name for b in signature.buffers if b.role is Role.OUT]
    found = f(**arguments, device=device)
    by_name = cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {outs[0]: found}
    return {n: np.asarray(by_name[n]) for n in outs}


@dataclass(frozen=True, slots=True)
class Forward:
    """A kernel as one number: its results times weights."""

    f: Any
    signature: Signature
    device: str
    weights: Mapping[str, Array]

    def loss(self, arguments: Mapping[str, Any]) -> float:
        found = results(self.f, self.signature, arguments, self.device)
        return float(sum((found[o].astype(np.float64) * w).sum() for o, w in self.weights.items()))


def slopes(value: Any, arguments: Mapping[str, Any], name: str) -> Array:
    """Central differences at two steps, extrapolated."""
    start = np.asarray(arguments[name], np.float32)
    true = np.zeros(start.shape)
    for place in np.ndindex(start.shape):
        pair: list[float] = []
        for step in (STEP, STEP / 2):
            ends = [start.copy(), start.copy()]
            ends[0][place] += np.float32(step)
            ends[1][place] -= np.float32(step)
            apart = float(ends[0][place]) - float(ends[1][place])
            pair.append((value({**arguments, name: ends[0]}) - value({**arguments, name: ends[1]})) / apart)
        true[place] = (4 * pair[1] - pair[0]) / 3
    return true


def share(found: Array, true: Array) -> float:
    """The largest error, of what it may be; infinite where the shape is wrong or it is not finite."""
    if found.shape != true.shape or not np.isfinite(found).all():
        return float("inf")
    most = max(float(np.max(np.abs(true), initial=0.0)), 1e-3)
    return float(np.max(np.abs(found - true), initial=0.0)) / (COARSE * most)
