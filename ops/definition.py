"""What a family of the library says of one op: its formula, and which arguments it is tried with.

Definition("scale", "y[...] = factor * x[...]", scalars={"factor": 0.7}, identities=("transpose of each",))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Definition:
    """One op.

    scalars: values that the evidence uses. sizes: what an axis is a multiple of, a number or another axis (`{"d": 2, "h": "g"}`).
    same: axes as long as another. below: the first whole number that an integer tensor never holds, a number or an axis; one past the
    axis is asked for by `"v + 1"`. positive: inputs of positive numbers. tied: inputs
    that are also tried with two equal neighbours. spread: how wide inputs are drawn. single: what float32 may be off
    at hostile numbers. within: the largest of those that an input takes. identities:
    what algebra shows of the backward, by the names of `shaderdsl.testing.identities`. without: why there is no backward, empty where there is one.
    """

    name: str
    formula: str
    scalars: Mapping[str, float] = field(default_factory=dict[str, float])
    sizes: Mapping[str, int | str] = field(default_factory=dict[str, int | str])
    same: Mapping[str, str] = field(default_factory=dict[str, str])
    below: Mapping[str, int | str] = field(default_factory=dict[str, int | str])
    positive: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    spread: Mapping[str, float] = field(default_factory=dict[str, float])
    single: float = 1e-3
    within: Mapping[str, float] = field(default_factory=dict[str, float])
    identities: tuple[str, ...] = ()
    without: str = ""
