"""Attention. Query head `h` reads the key and value head `h // (H / G)`; a query's last key is the one of its own time."""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

WEIGHTED = """\
given q[h, t, c], k[g, u, c], v[g, u, d], scale
p[h, t, u] = sum(c) q[h, t, c] * k[h // (size(h) // size(g)), u, c]
z[h, t, u] = {score}
m[h, t] = max(u) z[h, t, u]
e[h, t, u] = {weight}
l[h, t] = sum(u) e[h, t, u]
a[h, t, u] = e[h, t, u] / l[h, t]
o[h, t, d] = sum(u) a[h, t, u] * v[h // (size(h) // size(g)), u, d]"""

OPS = (
    Definition(
        "scores",
        "given q[..., t, c], k[..., u, c], scale\np[..., t, u] = sum(c) q[..., t, c] * k[..., u, c]\ns[..., t, u] = scale * p[..., t, u]",
        scalars={"scale": 0.6},
        identities=("transpose of each",),
    ),
    Definition(
        "attention",
        WEIGHTED.format(score="scale * p[h, t, u]", weight="exp(z[h, t, u] - m[h, t])"),
        scalars={"scale": 0.6},
        sizes={"h": "g"},
    ),
    Definition(
        "causal_attention",
        WEIGHTED.format(
            score="where(u <= t, scale * p[h, t, u], -1e30)", weight="where(u <= t, exp(z[h, t, u] - m[h, t]), 0)"
        ),
        scalars={"scale": 0.6},
        sizes={"h": "g"},
        same={"u": "t"},
    ),
)
