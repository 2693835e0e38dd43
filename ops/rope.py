"""Rotary positions: the pair `i` of position `t` turns by `(t + offset) * base ** (-2 i / d)`.

Two pairings: `rope_split` turns (i, i + d/2) as NeoX and Llama checkpoints have it, `rope_interleaved` (2i, 2i + 1).
"""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

ANGLE = """\
given x[..., t, d], base, offset: i32
angle[t < size(t), i < size(d) // 2] = (t + offset) * base ** (-2 * i / size(d))
"""
TRIED = {"base": 1e4, "offset": 3}

OPS = (
    Definition(
        "rope_split",
        f"""{ANGLE}\
y[..., t, d < size(d)] = where(d < size(d) // 2,
    x[..., t, d] * cos(angle[t, d]) - x[..., t, d + size(d) // 2] * sin(angle[t, d]),
    x[..., t, d - size(d) // 2] * sin(angle[t, d - size(d) // 2]) + x[..., t, d] * cos(angle[t, d - size(d) // 2]))""",
        scalars=TRIED,
        sizes={"d": 2},
        identities=("turns back",),
    ),
    Definition(
        "rope_interleaved",
        f"""{ANGLE}\
y[..., t, d] = where(d % 2 == 0,
    x[..., t, d] * cos(angle[t, d // 2]) - x[..., t, d + 1] * sin(angle[t, d // 2]),
    x[..., t, d - 1] * sin(angle[t, d // 2]) + x[..., t, d] * cos(angle[t, d // 2]))""",
        scalars=TRIED,
        sizes={"d": 2},
        identities=("turns back",),
    ),
)
