"""The book on rows: softmax, norms and cross entropy."""

from __future__ import annotations

from codegen_tests.spec.textbook import Row
from shaderdsl.ops import definitions

LIBRARY = {name: d.formula for name, d in definitions().items()}

ROWS = (
    Row(
        "softmax",
        LIBRARY["softmax"],
        """\
given x[b, j], d_y[b, j]
e[b, j] = exp(x[b, j])
total[b] = sum(j) e[b, j]
s[b, j] = e[b, j] / total[b]
dot[b] = sum(j) s[b, j] * d_y[b, j]
d_x[b, j] = s[b, j] * (d_y[b, j] - dot[b])""",
        {"b": 1, "j": 3},
        ("- dot[b]", "- 2 * dot[b]"),
    ),
    Row(
        "softmax, causal",
        LIBRARY["causal_softmax"],
        """\
given x[b, i, j], d_y[b, i, j]
e[b, i, j] = where(j <= i, exp(x[b, i, j]), 0)
total[b, i] = sum(j) e[b, i, j]
s[b, i, j] = e[b, i, j] / total[b, i]
dot[b, i] = sum(j) s[b, i, j] * d_y[b, i, j]
d_x[b, i, j] = s[b, i, j] * (d_y[b, i, j] - dot[b, i])""",
        {"b": 1, "i": 3, "j": 3},
        ("j <= i", "j < i + 2"),
    ),
    Row(
        "softmax, masked",
        LIBRARY["masked_softmax"],
        """\
given x[b, i, j], mask[b, i, j]: i32, d_y[b, i, j]
e[b, i, j] = where(mask[b, i, j] != 0, exp(x[b, i, j]), 0)
total[b, i] = sum(j) e[b, i, j]
s[b, i, j] = where(mask[b, i, j] != 0, e[b, i, j] / total[b, i], 0)
dot[b, i] = sum(j) s[b, i, j] * d_y[b, i, j]
d_x[b, i, j] = s[b, i, j] * (d_y[b, i, j] - dot[b, i])""",
        {"b": 1, "i": 1, "j": 3},
        ("mask[b, i, j] != 0", "mask[b, i, j] != 1"),
        below={"mask": 2},
    ),
    Row(
        "log softmax",
        LIBRARY["log_softmax"],
        """\
given x[b, j], d_y[b, j]
e[b, j] = exp(x[b, j])
total[b] = sum(j) e[b, j]
all[b] = sum(j) d_y[b, j]
d_x[b, j] = d_y[b, j] - e[b, j] / total[b] * all[b]""",
        {"b": 1, "j": 3},
        ("* all[b]", "* d_y[b, j]"),
    ),
    Row(
        "RMS norm",
        LIBRARY["rms_norm"],
        """\
given x[b, i], g[i], eps, d_y[b, i]
q[b] = mean(i) x[b, i] ** 2
r[b] = sqrt(q[b] + eps)
dot[b] = sum(j) d_y[b, j] * g[j] * x[b, j]
d_x[b, i] = 1 / r[b] * (d_y[b, i] * g[i] - x[b, i] * dot[b] / (size(i) * r[b] ** 2))
d_g[i] = sum(b) d_y[b, i] * x[b, i] / r[b]
out(d_x, d_g)""",
        {"b": 2, "i": 3},
        ("(size(i) * r[b] ** 2)", "r[b] ** 2"),
    ),
    Row(
        "layer norm, plain",
        LIBRARY["layer_norm"],
        """\
given x[b, i], eps, d_y[b, i]
mu[b] = mean(i) x[b, i]
variance[b] = mean(i) (x[b, i] - mu[b]) ** 2
sig[b] = sqrt(variance[b] + eps)
y[b, i] = (x[b, i] - mu[b]) / sig[b]
first[b] = mean(i) d_y[b, i]
second[b] = mean(i) d_y[b, i] * y[b, i]
d_x[b, i] = (d_y[b, i] - first[b] - y[b, i] * second[b]) / sig[b]""",
        {"b": 1, "i": 3},
        ("- first[b]", ""),
    ),
    Row(
        "layer norm, affine",
        LIBRARY["layer_norm_affine"],
        """\
given x[b, i], g[i], b[i], eps, d_y[b, i]
mu[b] = mean(i) x[b, i]
variance[b] = mean(i) (x[b, i] - mu[b]) ** 2
sig[b] = sqrt(variance[b] + eps)
n[b, i] = (x[b, i] - mu[b]) / sig[b]
d_n[b, i] = d_y[b, i] * g[i]
first[b] = mean(i) d_n[b, i]
second[b] = mean(i) d_n[b, i] * n[b, i]
d_x[b, i] = (d_n[b, i] - first[b] - n[b, i] * second[b]) / sig[b]
d_g[i] = sum(b) d_y[b, i] * n[b, i]
d_b[i] = sum(b) d_y[b, i]
out(d_x, d_g, d_b)""",
        {"b": 2, "i": 2},
        ("d_y[b, i] * n[b, i]", "d_y[b, i] * x[b, i]"),
    ),
    Row(
        "cross entropy, mean over counted tokens, other labels ignored",
        LIBRARY["cross_entropy"],
        """\
given x[t, v], label[t]: i32, d_loss
total[t] = sum(v) exp(x[t, v])
counts[t] = where(label[t] < size(v), 1, 0)
n = sum(t) counts[t]
d_x[t, v] = d_loss * counts[t] / max(n, 1) * (exp(x[t, v] - log(total[t])) - where(v == label[t], 1, 0))""",
        {"t": 2, "v": 3},
        ("max(n, 1)", "size(t)"),
        below={"label": 4},
    ),
    Row(
        "cross entropy, masked to start <= t < stop",
        LIBRARY["cross_entropy_range"],
        """\
given x[t, v], label[t]: i32, start: i32, stop: i32, d_loss
total[t] = sum(v) exp(x[t, v])
counts[t] = where(t >= start and t < stop and label[t] < size(v), 1, 0)
n = sum(t) counts[t]
d_x[t, v] = d_loss * counts[t] / max(n, 1) * (exp(x[t, v] - log(total[t])) - where(v == label[t], 1, 0))""",
        {"t": 3, "v": 2},
        ("t < stop", "t <= stop"),
        scalars={"start": 1, "stop": 2},
        below={"label": 3},
    ),
)
