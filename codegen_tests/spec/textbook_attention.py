"""The book on attention: rotary positions, scores, attention by weights, and its backward by the log of the sums."""

from __future__ import annotations

from codegen_tests.spec.formulas import FORMULAS
from codegen_tests.spec.textbook import Row
from codegen_tests.spec.textbook_rows import LIBRARY

POSITIONS = {"base": 10000, "offset": 3}
ONE_GROUP = {"h": 2, "g": 1, "t": 2, "u": 2, "c": 1, "d": 1}
TWO_GROUPS = {"h": 4, "g": 2, "t": 3, "u": 3, "c": 2, "d": 3}

WEIGHTS = """\
given q[h, t, c], k[g, u, c], v[g, u, d], scale, d_o[h, t, d]
s[h, t, u] = sum(c) q[h, t, c] * k[h * size(g) // size(h), u, c]
e[h, t, u] = where({keep}, exp(scale * s[h, t, u]), 0)
l[h, t] = sum(u) e[h, t, u]
a[h, t, u] = e[h, t, u] / l[h, t]
d_a[h, t, u] = sum(d) d_o[h, t, d] * v[h * size(g) // size(h), u, d]
dot[h, t] = sum(u) a[h, t, u] * d_a[h, t, u]
d_s[h, t, u] = a[h, t, u] * (d_a[h, t, u] - dot[h, t])
"""
FLASH = """\
given q[h, t, c], k[g, u, c], v[g, u, d], scale, d_o[h, t, d]
s[h, t, u] = sum(c) scale * q[h, t, c] * k[h * size(g) // size(h), u, c]
l[h, t] = sum(u) where(u <= t, exp(s[h, t, u]), 0)
L[h, t] = log(l[h, t])
P[h, t, u] = where(u <= t, exp(s[h, t, u] - L[h, t]), 0)
O[h, t, d] = sum(u) P[h, t, u] * v[h * size(g) // size(h), u, d]
D[h, t] = sum(d) d_o[h, t, d] * O[h, t, d]
d_P[h, t, u] = sum(d) d_o[h, t, d] * v[h * size(g) // size(h), u, d]
d_s[h, t, u] = P[h, t, u] * (d_P[h, t, u] - D[h, t])
a[h, t, u] = P[h, t, u]
"""
LAST = """\
back[h, t, c] = sum(u) d_s[h, t, u] * k[h * size(g) // size(h), u, c]
d_q[h, t, c] = scale * back[h, t, c]
of[g < size(g), u, c] = sum(h, t) where(h * size(g) // size(h) == g, d_s[h, t, u] * q[h, t, c], 0)
d_k[g, u, c] = scale * of[g, u, c]
d_v[g < size(g), u, d] = sum(h, t) where(h * size(g) // size(h) == g, a[h, t, u] * d_o[h, t, d], 0)
out(d_q, d_k, d_v)"""

ROWS = (
    Row(
        "rotary positions, split halves",
        LIBRARY["rope_split"],
        """\
given base, offset: i32, d_y[b, t, d]
theta[t < size(t), i < size(d) // 2] = (t + offset) * base ** (-2 * i / size(d))
d_x[b, t, d < size(d)] = where(d < size(d) // 2,
    d_y[b, t, d] * cos(-theta[t, d]) - d_y[b, t, d + size(d) // 2] * sin(-theta[t, d]),
    d_y[b, t, d - size(d) // 2] * sin(-theta[t, d - size(d) // 2]) + d_y[b, t, d] * cos(-theta[t, d - size(d) // 2]))""",
        {"b": 1, "t": 2, "d": 4},
        ("* sin(-theta[t, d])", "* sin(theta[t, d])"),
        scalars=POSITIONS,
    ),
    Row(
        "rotary positions, interleaved",
        LIBRARY["rope_interleaved"],
        """\
given base, offset: i32, d_y[b, t, d]
theta[t < size(t), i < size(d) // 2] = (t + offset) * base ** (-2 * i / size(d))
d_x[b, t, d] = where(d % 2 == 0,
    d_y[b, t, d] * cos(-theta[t, d // 2]) - d_y[b, t, d + 1] * sin(-theta[t, d // 2]),
    d_y[b, t, d - 1] * sin(-theta[t, d // 2]) + d_y[b, t, d] * cos(-theta[t, d // 2]))""",
        {"b": 1, "t": 2, "d": 4},
        ("(t + offset)", "t"),
        scalars=POSITIONS,
    ),
    Row(
        "scores",
        LIBRARY["scores"],
        """\
given q[b, t, c], k[b, u, c], scale, d_s[b, t, u]
p[b, t, c] = sum(u) d_s[b, t, u] * k[b, u, c]
d_q[b, t, c] = scale * p[b, t, c]
r[b, u, c] = sum(t) d_s[b, t, u] * q[b, t, c]
d_k[b, u, c] = scale * r[b, u, c]
out(d_q, d_k)""",
        {"b": 1, "t": 2, "u": 3, "c": 2},
        ("scale * r[b, u, c]", "r[b, u, c]"),
    ),
    Row(
        "attention of one head",
        LIBRARY["attention"],
        WEIGHTS.format(keep="u >= 0") + LAST,
        {"h": 1, "g": 1, "t": 1, "u": 3, "c": 2, "d": 2},
        ("scale * of[g, u, c]", "of[g, u, c]"),
        larger={"t": 2, "u": 5},
    ),
    Row(
        "attention, heads in groups",
        LIBRARY["attention"],
        WEIGHTS.format(keep="u >= 0") + LAST,
        ONE_GROUP,
        ("d_s[h, t, u] * q[h, t, c], 0)", "d_s[h, t, u] * q[h, t, c] / size(h) * size(g), 0)"),
        larger=TWO_GROUPS,
    ),
    Row(
        "attention, causal, heads in groups",
        LIBRARY["causal_attention"],
        WEIGHTS.format(keep="u <= t") + LAST,
        ONE_GROUP,
        ("where(u <= t", "where(u <= t + 1"),
        larger=TWO_GROUPS,
    ),
    Row(
        "attention by output and log of the sums",
        LIBRARY["causal_attention"],
        FLASH + LAST,
        ONE_GROUP,
        ("- D[h, t]", ""),
        larger=TWO_GROUPS,
    ),
    Row(
        "attention by a running maximum",
        FORMULAS["flash"].formula,
        """\
given s[q, u], v[u, d], d_y[q, d]
l[q] = sum(u) exp(s[q, u])
P[q, u] = exp(s[q, u]) / l[q]
O[q, d] = sum(u) P[q, u] * v[u, d]
D[q] = sum(d) d_y[q, d] * O[q, d]
d_P[q, u] = sum(d) d_y[q, d] * v[u, d]
d_s[q, u] = P[q, u] * (d_P[q, u] - D[q])
d_v[u, d] = sum(q) P[q, u] * d_y[q, d]
out(d_s, d_v)""",
        {"q": 1, "u": 2, "d": 1},
        ("- D[q]", "+ D[q]"),
        larger={"q": 2, "u": 4, "d": 3},
    ),
)
