"""The library of ops, by formula: each is derived, and is an op only while its recorded evidence is for that formula.

    from shaderdsl import ops

    y = ops.softmax(x)
    d_x = ops.softmax.vjp(x=x, d_y=d_y)["x"]

An op is made when it is first asked for, and its backward is read from its record: nothing is derived again. One whose formula has changed
since it was examined is refused: run `shaderdsl gradcheck --record`.
"""

from __future__ import annotations

from typing import Any

import shaderdsl as sd
from shaderdsl.operation import with_backward
from shaderdsl.ops import (
    convolution,
    elementwise,
    heads,
    lora,
    losses,
    norms,
    optimisers,
    products,
    queries,
    random,
    reductions,
    rope,
    scans,
    tables,
)
from shaderdsl.ops.definition import Definition
from shaderdsl.ops.records import record_of, stale

FAMILIES = (
    elementwise,
    reductions,
    norms,
    products,
    rope,
    queries,
    tables,
    losses,
    convolution,
    scans,
    lora,
    heads,
    optimisers,
    random,
)


def definitions() -> dict[str, Definition]:
    """Every op of the library by name, family by family."""
    return {d.name: d for family in FAMILIES for d in family.OPS}


def registered(definition: Definition) -> Any:
    """The op of a definition, with its backward as recorded; one without evidence is refused."""
    record = record_of(definition.name)
    fault = stale(definition, record)
    if record is None or fault:
        raise sd.SpecError(fault, hints=[f"run shaderdsl gradcheck {definition.name} --record"])
    return with_backward(sd.op(definition.name, definition.formula), "\n".join(record["backward"]))


def __getattr__(name: str) -> Any:
    """The one lazy seam: an op is made, and its evidence looked at, when it is first asked for."""
    found = definitions().get(name)
    if found is None:
        raise AttributeError(f"module 'shaderdsl.ops' has no attribute {name!r}")
    globals()[name] = registered(found)
    return globals()[name]


def __dir__() -> list[str]:
    return sorted([*globals(), *definitions()])
