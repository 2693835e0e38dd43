"""A linear layer with a low-rank adapter: `y = x W' + alpha / r * (x A') B'`, with A [r, in] and B [out, r]; and the weights of both."""

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
    Definition(
        "lora_merge",
        """\
given w[o, i], a[r, i], b[o, r], alpha
delta[o, i] = sum(r) b[o, r] * a[r, i]
merged[o, i] = w[o, i] + alpha / size(r) * delta[o, i]""",
        scalars={"alpha": 1.5},
    ),
)
