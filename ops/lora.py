"""A linear layer with a low-rank adapter: `y = x W' + alpha / r * (x A') B'`, with A [r, in] and B [out, r]."""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

OPS = (
    Definition(
        "lora_linear",
        """\
given x[m, i], w[o, i], a[r, i], b[o, r], alpha
base[m, o] = sum(i) x[m, i] * w[o, i]
h[m, r] = sum(i) x[m, i] * a[r, i]
up[m, o] = sum(r) h[m, r] * b[o, r]
y[m, o] = base[m, o] + alpha / size(r) * up[m, o]""",
        scalars={"alpha": 1.5},
    ),
)
