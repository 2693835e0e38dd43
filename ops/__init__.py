"""The library of ops, by formula; each is a spec whose backward is derived and held to recorded evidence.

definitions()["softmax"].formula
"""

from __future__ import annotations

from shaderdsl.ops import (
    attention,
    convolution,
    elementwise,
    embedding,
    heads,
    lora,
    losses,
    matmul,
    norms,
    optimisers,
    reductions,
    rope,
    scans,
)
from shaderdsl.ops.definition import Definition

FAMILIES = (
    elementwise,
    reductions,
    norms,
    matmul,
    rope,
    attention,
    embedding,
    losses,
    convolution,
    scans,
    lora,
    heads,
    optimisers,
)


def definitions() -> dict[str, Definition]:
    """Every op of the library by name, family by family."""
    return {d.name: d for family in FAMILIES for d in family.OPS}
