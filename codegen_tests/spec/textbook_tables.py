"""The book on tables: embeddings with positions, and a head that shares the table."""

from __future__ import annotations

from codegen_tests.spec.textbook import Row
from codegen_tests.spec.textbook_rows import LIBRARY

ROWS = (
    Row(
        "embedding with positions",
        LIBRARY["embedding_positions"],
        """\
given w[v, c], pos[t, c], ids[b, t]: i32, d_x[b, t, c]
d_w[v < size(v), c] = sum(b, t) where(ids[b, t] == v, d_x[b, t, c], 0)
d_pos[t, c] = sum(b) d_x[b, t, c]
out(d_w, d_pos)""",
        {"b": 2, "t": 2, "v": 3, "c": 2},
        ("sum(b, t) where(ids[b, t] == v,", "sum(b, t) where(ids[b, t] == v and b == 0,"),
        below={"ids": 3},
    ),
    Row(
        "tied head: both terms",
        LIBRARY["tied_embedding"],
        """\
given w[v, c], ids[t]: i32, d_logits[t, v]
x[t, c] = w[ids[t], c]
head[v, c] = sum(t) d_logits[t, v] * x[t, c]
d_x[t, c] = sum(v) d_logits[t, v] * w[v, c]
scattered[v < size(v), c] = sum(t) where(ids[t] == v, d_x[t, c], 0)
d_w[v, c] = head[v, c] + scattered[v, c]""",
        {"t": 2, "v": 3, "c": 2},
        ("head[v, c] + scattered[v, c]", "head[v, c]"),
        below={"ids": 3},
    ),
    Row(
        "tied head with a bias",
        LIBRARY["tied_head"],
        """\
given x[t, c], w[v, c], b[v], d_logits[t, v]
d_x[t, c] = sum(v) d_logits[t, v] * w[v, c]
d_w[v, c] = sum(t) d_logits[t, v] * x[t, c]
d_b[v] = sum(t) d_logits[t, v]
out(d_x, d_w, d_b)""",
        {"t": 2, "v": 3, "c": 2},
        ("d_b[v] = sum(t) d_logits[t, v]", "d_b[v] = sum(t) 2 * d_logits[t, v]"),
    ),
)
