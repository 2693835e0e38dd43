"""Layouts: transposition, joining and cutting, heads in and out of the channels, and the cache of keys and values."""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

OPS = (
    Definition("transpose", "y[..., j, i] = x[..., i, j]", identities=("transpose of each",)),
    Definition(
        "concat",
        "given a[m, p], b[m, q]\ny[m, i < size(p) + size(q)] = where(i < size(p), a[m, i], b[m, i - size(p)])",
        identities=("transpose",),
    ),
    Definition(
        "split",
        "given x[m, p], at: i32\na[m, i < at] = x[m, i]\nb[m, i < size(p) - at] = x[m, i + at]\nout(a, b)",
        scalars={"at": 1},
        identities=("transpose",),
    ),
    Definition(
        "split_heads",
        "given x[t, p], heads: i32\ny[h < heads, t, c < size(p) // heads] = x[t, h * (size(p) // heads) + c]",
        scalars={"heads": 2},
        sizes={"p": 2},
        identities=("transpose of each",),
    ),
    Definition(
        "merge_heads",
        "given x[h, t, c]\ny[t, p < size(h) * size(c)] = x[p // size(c), t, p % size(c)]",
        identities=("transpose of each",),
    ),
    Definition(
        "gather_rows",
        "given x[t, c], rows[i]: i32\ny[i, c] = x[rows[i], c]",
        below={"rows": "t"},
        identities=("transpose of each",),
    ),
    Definition(
        "scatter_rows",
        "given x[i, c], rows[i]: i32, count: i32\ny[t < count, c] = sum(i) where(rows[i] == t, x[i, c], 0)",
        scalars={"count": 4},
        below={"rows": 4},
        identities=("transpose of each",),
    ),
    Definition(
        "gather_columns",
        "given x[t, c], columns[i]: i32\ny[t, i] = x[t, columns[i]]",
        below={"columns": "c"},
        identities=("transpose of each",),
    ),
    Definition(
        "scatter_columns",
        "given x[t, i], columns[i]: i32, count: i32\ny[t, c < count] = sum(i) where(columns[i] == c, x[t, i], 0)",
        scalars={"count": 4},
        below={"columns": 4},
        identities=("transpose of each",),
    ),
    Definition(
        "cache_write",
        """\
given cache[h, s, c], new[h, t, c], position: i32
y[h, s, c] = where(s >= position and s < position + size(t), new[h, s - position, c], cache[h, s, c])""",
        scalars={"position": 1},
        identities=("transpose",),
    ),
)
