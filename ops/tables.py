"""Rows of a table by whole numbers; the backward adds the rows up in a fixed order, without atomics."""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

OPS = (
    Definition(
        "embedding",
        "given w[v, c], ids[t]: i32\nx[t, c] = w[ids[t], c]",
        below={"ids": "v"},
        identities=("transpose of each",),
    ),
    Definition(
        "embedding_positions",
        "given w[v, c], pos[t, c], ids[b, t]: i32\nx[b, t, c] = w[ids[b, t], c] + pos[t, c]",
        below={"ids": "v"},
        identities=("transpose",),
    ),
    Definition(
        "tied_head",
        "given x[t, c], w[v, c], b[v]\np[t, v] = sum(c) x[t, c] * w[v, c]\nlogits[t, v] = p[t, v] + b[v]",
    ),
    Definition(
        "tied_embedding",
        """\
given w[v, c], ids[t]: i32
x[t, c] = w[ids[t], c]
logits[t, v] = sum(c) x[t, c] * w[v, c]""",
        below={"ids": "v"},
    ),
)
