"""Attention. Query head `h` reads the key and value head `h // (H / G)`; a query's last key is the one of its own time.

`cached_attention` reads keys and values from a cache that is longer than what it holds: the first query stands at `position`.
"""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

WEIGHTED = """\
given q[h, t, c], k[g, u, c], v[g, u, d], scale{more}
p[h, t, u] = sum(c) q[h, t, c] * k[h // (size(h) // size(g)), u, c]
z[h, t, u] = {score}
m[h, t] = max(u) z[h, t, u]
e[h, t, u] = {weight}
l[h, t] = sum(u) e[h, t, u]
a[h, t, u] = e[h, t, u] / l[h, t]
o[h, t, d] = sum(u) a[h, t, u] * v[h // (size(h) // size(g)), u, d]"""


def until(last: str) -> dict[str, str]:
    """Scores and weights of the keys up to the last one."""
    return {
        "score": f"where(u <= {last}, scale * p[h, t, u], -1e30)",
        "weight": f"where(u <= {last}, exp(z[h, t, u] - m[h, t]), 0)",
    }


OPS = (
    Definition(
        "scores",
        "given q[..., t, c], k[..., u, c], scale\np[..., t, u] = sum(c) q[..., t, c] * k[..., u, c]\ns[..., t, u] = scale * p[..., t, u]",
        scalars={"scale": 0.6},
        identities=("transpose of each",),
    ),
    Definition(
        "attention",
        WEIGHTED.format(more="", score="scale * p[h, t, u]", weight="exp(z[h, t, u] - m[h, t])"),
        scalars={"scale": 0.6},
        sizes={"h": "g"},
    ),
    Definition(
        "causal_attention",
        WEIGHTED.format(more="", **until("t")),
        scalars={"scale": 0.6},
        sizes={"h": "g"},
        same={"u": "t"},
    ),
    Definition(
        "cached_attention",
        WEIGHTED.format(more=", position: i32", **until("position + t")),
        scalars={"scale": 0.6, "position": 1},
        sizes={"h": "g"},
    ),
)
