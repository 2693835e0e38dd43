"""Reductions of the last axis, and the softmax family.

Elements that reach a maximum together share its gradient. Masked places of a softmax are exactly 0, also in rows that are all masked;
those of a log-softmax hold `fill`. Neither has a gradient.
"""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

MASKED = """\
given x[..., i, j]
z[..., i, j] = where({keep}, x[..., i, j], -1e30)
m[..., i] = max(j) z[..., i, j]
e[..., i, j] = where({keep}, exp(z[..., i, j] - m[..., i]), 0)
s[..., i] = sum(j) e[..., i, j]
y[..., i, j] = e[..., i, j] / s[..., i]"""
LOG_MASKED = """\
given x[..., i, j]{more}, fill
z[..., i, j] = where({keep}, x[..., i, j], -1e30)
m[..., i] = max(j) z[..., i, j]
s[..., i] = sum(j) where({keep}, exp(z[..., i, j] - m[..., i]), 0)
y[..., i, j] = where({keep}, x[..., i, j] - m[..., i] - log(s[..., i]), fill)"""

OPS = (
    Definition("sum", "y[...] = sum(i) x[..., i]", identities=("transpose of each",)),
    Definition(
        "mean",
        "y[...] = mean(i) x[..., i]",
        identities=(
            "transpose of each",
            "rows sum to what comes in",
        ),
    ),
    Definition("max", "y[...] = max(i) x[..., i]", tied=("x",)),
    Definition("min", "y[...] = min(i) x[..., i]", tied=("x",)),
    Definition("sum_squares", "y[...] = sum(i) x[..., i] ** 2"),
    Definition(
        "logsumexp",
        "m[...] = max(i) x[..., i]\ns[...] = sum(i) exp(x[..., i] - m[...])\ny[...] = m[...] + log(s[...])",
        identities=("rows sum to what comes in",),
    ),
    Definition(
        "softmax",
        """\
m[...] = max(j) x[..., j]
e[..., j] = exp(x[..., j] - m[...])
s[...] = sum(j) e[..., j]
y[..., j] = e[..., j] / s[...]
saved(y)""",
        identities=("rows sum to 0",),
    ),
    Definition(
        "log_softmax",
        """\
m[...] = max(j) x[..., j]
s[...] = sum(j) exp(x[..., j] - m[...])
y[..., j] = x[..., j] - m[...] - log(s[...])""",
        identities=("rows sum to 0",),
    ),
    Definition("causal_softmax", MASKED.format(keep="j <= i"), identities=("rows sum to 0",)),
    Definition(
        "masked_softmax",
        """\
given x[..., i, j], mask[..., i, j]: i32
z[..., i, j] = where(mask[..., i, j] != 0, x[..., i, j], -1e30)
m[..., i] = max(j) z[..., i, j]
e[..., i, j] = where(mask[..., i, j] != 0, exp(z[..., i, j] - m[..., i]), 0)
s[..., i] = sum(j) e[..., i, j]
y[..., i, j] = where(mask[..., i, j] != 0, e[..., i, j] / s[..., i], 0)""",
        below={"mask": 2},
        identities=("rows sum to 0",),
    ),
    Definition(
        "causal_log_softmax",
        LOG_MASKED.format(more="", keep="j <= i"),
        scalars={"fill": -9.0},
        identities=("rows sum to 0",),
    ),
    Definition(
        "masked_log_softmax",
        LOG_MASKED.format(more=", mask[..., i, j]: i32", keep="mask[..., i, j] != 0"),
        scalars={"fill": -9.0},
        below={"mask": 2},
        identities=("rows sum to 0",),
    ),
    Definition(
        "argmax",
        """\
m[...] = max(j) x[..., j]
at[..., j] = where(x[..., j] == m[...], j, size(j))
y[...] = min(j) at[..., j]""",
        without="its result is a whole number",
    ),
    Definition(
        "top_k",
        """\
given x[i, j], k: i32
before[i, j] = sum(l < size(j)) where(x[i, l] > x[i, j] or x[i, l] == x[i, j] and l < j, 1, 0)
values[i, r < k] = sum(j) where(before[i, j] == r, x[i, j], 0)
places[i, r < k] = sum(j) where(before[i, j] == r, j, 0)
out(values, places)""",
        scalars={"k": 2},
        sizes={"j": 2},
    ),
)
