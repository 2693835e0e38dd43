"""The law that every generated program obeys: one meaning before the passes, after them, and on both devices.

broken_law(program) is None
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from shaderdsl.testing.agreement import disagreement
from shaderdsl.testing.programs import Program, execute

DEVICES = ("wgpu", "dawn")


def broken_law(program: Program, devices: Sequence[str] = DEVICES) -> str | None:
    """What is wrong with the handling of this program, in words; None if nothing is. Verification after each pass raises by itself."""
    traced, lowered = program.program.trace(), program.program.lowered()
    meaning = program.interpreted(traced)
    said = disagreement(program, meaning, program.interpreted(lowered))
    if said is not None:
        return f"after the passes {said}"
    order = Random(0).sample(range(program.workgroups()), program.workgroups())
    said = disagreement(program, meaning, program.interpreted(traced, order))
    if said is not None:
        return f"with workgroups in the order {order} {said}"
    if execute(program.source).wgsl() != program.program.wgsl():
        return "traced twice, the text differs"
    for device in devices:
        said = disagreement(program, meaning, program(device))
        if said is not None:
            return f"on {device} {said}"
    return None


def told(program: Program, said: str, seed: int | None = None) -> str:
    """A failure with everything that is needed to look into it."""
    named = "" if seed is None else f"seed {seed}: "
    return f"{named}{said}\n{program.source}\n{program.program.wgsl()}"
