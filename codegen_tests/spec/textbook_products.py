"""The book on products: linear layers, quantised weights, straight-through estimators, convolutions and low-rank adapters."""

from __future__ import annotations

from codegen_tests.spec.textbook import Row
from codegen_tests.spec.textbook_rows import LIBRARY

SQUARES = {"m": 2, "n": 2, "k": 2}

ROWS = (
    Row(
        "matmul",
        LIBRARY["matmul"],
        """\
given a[m, k], b[k, n], d_c[m, n]
d_a[m, k] = sum(n) d_c[m, n] * b[k, n]
d_b[k, n] = sum(m) a[m, k] * d_c[m, n]
out(d_a, d_b)""",
        {"m": 2, "n": 3, "k": 2},
        ("* b[k, n]", "* a[m, k]"),
    ),
    Row(
        "matmul_nt",
        LIBRARY["matmul_nt"],
        """\
given a[m, k], b[n, k], d_c[m, n]
d_a[m, k] = sum(n) d_c[m, n] * b[n, k]
d_b[n, k] = sum(m) d_c[m, n] * a[m, k]
out(d_a, d_b)""",
        SQUARES,
        ("b[n, k]\n", "b[k, n]\n"),
    ),
    Row(
        "matmul_tn",
        LIBRARY["matmul_tn"],
        """\
given a[k, m], b[k, n], d_c[m, n]
d_a[k, m] = sum(n) b[k, n] * d_c[m, n]
d_b[k, n] = sum(m) a[k, m] * d_c[m, n]
out(d_a, d_b)""",
        SQUARES,
        ("a[k, m] *", "a[m, k] *"),
    ),
    Row(
        "matmul_tt",
        LIBRARY["matmul_tt"],
        """\
given a[k, m], b[n, k], d_c[m, n]
d_a[k, m] = sum(n) b[n, k] * d_c[m, n]
d_b[n, k] = sum(m) d_c[m, n] * a[k, m]
out(d_a, d_b)""",
        SQUARES,
        ("* a[k, m]", "* a[m, k]"),
    ),
    Row(
        "linear with bias",
        LIBRARY["linear_bias"],
        """\
given x[m, i], w[o, i], b[o], d_y[m, o]
d_x[m, i] = sum(o) d_y[m, o] * w[o, i]
d_w[o, i] = sum(m) d_y[m, o] * x[m, i]
d_b[o] = sum(m) d_y[m, o]
out(d_x, d_w, d_b)""",
        {"b": 2, "i": 2, "o": 3},
        ("d_b[o] = sum(m)", "d_b[o] = mean(m)"),
    ),
    Row(
        "ternary weights",
        "given codes[o, i]: i32, x[m, i], scale\ny[m, o] = sum(i) scale * (codes[o, i] - 1) * x[m, i]",
        "given codes[o, i]: i32, x[m, i], scale, d_y[m, o]\np[m, i] = sum(o) (codes[o, i] - 1) * d_y[m, o]\nd_x[m, i] = scale * p[m, i]",
        {"m": 1, "o": 2, "i": 2},
        ("- 1)", ")"),
        below={"codes": 3},
    ),
    Row(
        "weights by a code book, in blocks",
        """\
given x[m, i], lut[c], codes[o, i]: i32, scale[o, n]
w[o, i] = lut[codes[o, i]] * scale[o, i // 2]
y[m, o] = sum(i) x[m, i] * w[o, i]""",
        """\
given lut[c], codes[o, i]: i32, scale[o, n], d_y[m, o]
d_x[m, i] = sum(o) d_y[m, o] * lut[codes[o, i]] * scale[o, i // 2]""",
        {"m": 1, "o": 1, "i": 4, "c": 2, "n": 2},
        ("i // 2", "i // 4"),
        below={"codes": 2},
        wrt=("x",),
    ),
    Row(
        "straight through a quantiser",
        """\
given x[m, i], w[o, i], s
qx[m, i] = straight_through(s * floor(x[m, i] / s + 0.5), as=x[m, i])
qw[o, i] = straight_through(s * floor(w[o, i] / s + 0.5), as=w[o, i])
y[m, o] = sum(i) qx[m, i] * qw[o, i]""",
        """\
given x[m, i], w[o, i], s, d_y[m, o]
d_x[m, i] = sum(o) d_y[m, o] * s * floor(w[o, i] / s + 0.5)
d_w[o, i] = sum(m) d_y[m, o] * s * floor(x[m, i] / s + 0.5)
out(d_x, d_w)""",
        {"m": 2, "o": 2, "i": 2},
        ("s * floor(x[m, i] / s + 0.5)", "x[m, i]"),
    ),
    Row(
        "causal depthwise convolution",
        LIBRARY["causal_conv1d"],
        """\
given x[b, t, d], w[d, k], bias[d], d_y[b, t, d]
d_x[b, t, d] = sum(k) where(t + k < size(t), d_y[b, t + k, d] * w[d, k], 0)
d_w[d, k < size(k)] = sum(b, t) where(t >= k, d_y[b, t, d] * x[b, t - k, d], 0)
d_bias[d] = sum(b, t) d_y[b, t, d]
out(d_x, d_w, d_bias)""",
        {"b": 2, "t": 3, "d": 2, "k": 4},
        ("x[b, t - k, d]", "x[b, t - k + 1, d]"),
    ),
    Row(
        "low-rank adapter",
        LIBRARY["lora_linear"],
        """\
given x[m, i], w[o, i], a[r, i], b[o, r], alpha, d_y[m, o]
h[m, r] = sum(i) x[m, i] * a[r, i]
up[m, r] = sum(o) d_y[m, o] * b[o, r]
d_h[m, r] = alpha / size(r) * up[m, r]
base[m, i] = sum(o) d_y[m, o] * w[o, i]
low[m, i] = sum(r) d_h[m, r] * a[r, i]
d_x[m, i] = base[m, i] + low[m, i]
d_w[o, i] = sum(m) d_y[m, o] * x[m, i]
d_a[r, i] = sum(m) d_h[m, r] * x[m, i]
outer[o, r] = sum(m) d_y[m, o] * h[m, r]
d_b[o, r] = alpha / size(r) * outer[o, r]
out(d_x, d_w, d_a, d_b)""",
        {"m": 2, "i": 2, "o": 2, "r": 2},
        ("base[m, i] + low[m, i]", "base[m, i]"),
    ),
    Row(
        "low-rank adapter by the weight's gradient",
        """\
given x[m, i], w[o, i], a[r, i], b[o, r], alpha
delta[o, i] = sum(r) b[o, r] * a[r, i]
y[m, o] = sum(i) x[m, i] * (w[o, i] + alpha / size(r) * delta[o, i])""",
        """\
given x[m, i], a[r, i], b[o, r], alpha, d_y[m, o]
G[o, i] = sum(m) d_y[m, o] * x[m, i]
left[r, i] = sum(o) b[o, r] * G[o, i]
right[o, r] = sum(i) G[o, i] * a[r, i]
d_a[r, i] = alpha / size(r) * left[r, i]
d_b[o, r] = alpha / size(r) * right[o, r]
out(d_a, d_b)""",
        {"m": 2, "i": 2, "o": 2, "r": 2},
        ("d_a[r, i] = alpha / size(r)", "d_a[r, i] = alpha"),
        wrt=("a", "b"),
    ),
)
