"""The book on state spaces: the selective scan with every gradient of its steps, the whole Mamba-1 block, and the scalar state space of Mamba-2.

The backward runs over t downwards: `dh = dy C + dhn` with `dhn = dh Ab` of the step after.
"""

from __future__ import annotations

from codegen_tests.spec.textbook import Row
from codegen_tests.spec.textbook_rows import LIBRARY

SELECTIVE = """\
given u[b, t, d], delta[b, t, d], A_log[d, n], B[b, t, n], C[b, t, n], D[d], d_y[b, t, d]
a[d, n] = -exp(clamp(A_log[d, n], -10, 5))
dv[b, t, d] = log(1 + exp(delta[b, t, d]))
Ab[b, t, d, n] = exp(dv[b, t, d] * a[d, n])
Bb[b, t, d, n] = (Ab[b, t, d, n] - 1) / a[d, n] * B[b, t, n]
h[b, t, d, n] = scan(t) Ab[b, t, d, n] * h[b, t - 1, d, n] + Bb[b, t, d, n] * u[b, t, d]
dh[b, t, d, n] = scan(t) d_y[b, t, d] * C[b, t, n] + dh[b, t + 1, d, n] * Ab[b, t + 1, d, n]
d_C[b, t, n] = sum(d) d_y[b, t, d] * h[b, t, d, n]
dAb[b, t, d, n] = dh[b, t, d, n] * h[b, t - 1, d, n]
dBb[b, t, d, n] = dh[b, t, d, n] * u[b, t, d]
through[b, t, d] = sum(n) dh[b, t, d, n] * Bb[b, t, d, n]
d_u[b, t, d] = through[b, t, d] + d_y[b, t, d] * D[d]
d_D[d] = sum(b, t) d_y[b, t, d] * u[b, t, d]
ddv[b, t, d] = sum(n) (dAb[b, t, d, n] * a[d, n] * Ab[b, t, d, n] + dBb[b, t, d, n] * Ab[b, t, d, n] * B[b, t, n])
da[d, n] = sum(b, t) (dAb[b, t, d, n] * dv[b, t, d] * Ab[b, t, d, n]
    + dBb[b, t, d, n] * B[b, t, n] * (dv[b, t, d] * Ab[b, t, d, n] * a[d, n] - (Ab[b, t, d, n] - 1)) / a[d, n] ** 2)
d_B[b, t, n] = sum(d) dBb[b, t, d, n] * (Ab[b, t, d, n] - 1) / a[d, n]
d_A_log[d, n] = where(A_log[d, n] >= -10 and A_log[d, n] <= 5, da[d, n] * a[d, n], 0)
d_delta[b, t, d] = ddv[b, t, d] / (1 + exp(-delta[b, t, d]))
out(d_u, d_delta, d_A_log, d_B, d_C, d_D)"""

SSD = """\
given x[t, e, i], dt_raw[t, e], dt_bias[e], A_log[e], B[t, g, n], C[t, g, n], D[e], d_y[t, e, i]
A[e] = -exp(A_log[e])
dt[t, e] = log(1 + exp(dt_raw[t, e] + dt_bias[e]))
a[t, e] = exp(A[e] * dt[t, e])
h[t, e, n < size(n), i] = scan(t) a[t, e] * h[t - 1, e, n, i] + dt[t, e] * B[t, e * size(g) // size(e), n] * x[t, e, i]
dh[t, e, n < size(n), i] = scan(t) C[t, e * size(g) // size(e), n] * d_y[t, e, i] + a[t + 1, e] * dh[t + 1, e, n, i]
into[t, e, i] = sum(n) B[t, e * size(g) // size(e), n] * dh[t, e, n, i]
d_x[t, e, i] = D[e] * d_y[t, e, i] + dt[t, e] * into[t, e, i]
da[t, e] = sum(n, i) dh[t, e, n, i] * h[t - 1, e, n, i]
ddt[t, e] = sum(i) into[t, e, i] * x[t, e, i]
whole[t, e] = da[t, e] * A[e] * a[t, e] + ddt[t, e]
d_dt_raw[t, e] = whole[t, e] / (1 + exp(-(dt_raw[t, e] + dt_bias[e])))
d_dt_bias[e] = sum(t) d_dt_raw[t, e]
dA[e] = sum(t) da[t, e] * dt[t, e] * a[t, e]
d_A_log[e] = A[e] * dA[e]
d_B[t, g < size(g), n] = sum(e, i) where(e * size(g) // size(e) == g, dt[t, e] * dh[t, e, n, i] * x[t, e, i], 0)
d_C[t, g < size(g), n] = sum(e, i) where(e * size(g) // size(e) == g, h[t, e, n, i] * d_y[t, e, i], 0)
d_D[e] = sum(t, i) d_y[t, e, i] * x[t, e, i]
out(d_x, d_dt_raw, d_dt_bias, d_A_log, d_B, d_C, d_D)"""

SMALL = {"b": 1, "t": 2, "d": 1, "n": 1}
LARGER = {"b": 2, "t": 4, "d": 3, "n": 2}

ROWS = (
    Row(
        "linear recurrence",
        LIBRARY["linear_recurrence"],
        """\
given a[b, t], u[b, t], d_h[b, t]
h[b, t] = scan(t) h[b, t - 1] * a[b, t] + u[b, t]
dh[b, t] = scan(t) d_h[b, t] + dh[b, t + 1] * a[b, t + 1]
d_a[b, t] = dh[b, t] * h[b, t - 1]
d_u[b, t] = dh[b, t]
out(d_a, d_u)""",
        {"b": 2, "t": 3},
        ("* a[b, t + 1]", "* a[b, t]"),
    ),
    Row(
        "selective scan",
        LIBRARY["selective_scan"],
        SELECTIVE,
        SMALL,
        ("- (Ab[b, t, d, n] - 1)) / a", "+ 0) / a"),
        larger=LARGER,
    ),
    Row(
        "selective scan, several channels and states",
        LIBRARY["selective_scan"],
        SELECTIVE,
        {"b": 1, "t": 2, "d": 2, "n": 2},
        ("through[b, t, d] + d_y[b, t, d] * D[d]", "through[b, t, d]"),
    ),
    Row(
        "selective scan, outside and at the edges of the clamp",
        LIBRARY["selective_scan"]
        .replace("clamp(A_log[d, n], -10, 5)", "clamp(A_log[d, n], low, high)")
        .replace("D[d]\n", "D[d], low, high\n", 1),
        SELECTIVE.replace("clamp(A_log[d, n], -10, 5)", "clamp(A_log[d, n], low, high)")
        .replace("D[d], d_y", "D[d], low, high, d_y")
        .replace("A_log[d, n] >= -10 and A_log[d, n] <= 5", "A_log[d, n] >= low and A_log[d, n] <= high"),
        SMALL,
        ("da[d, n] * a[d, n], 0)", "da[d, n] * a[d, n], da[d, n])"),
        scalars={"low": -1, "high": 1},
    ),
    Row(
        "scalar state space",
        LIBRARY["ssd"],
        SSD,
        {"t": 2, "e": 2, "i": 1, "n": 1, "g": 1},
        ("+ ddt[t, e]", ""),
        larger={"t": 4, "e": 4, "i": 3, "n": 2, "g": 2},
    ),
    Row(
        "scalar state space, several states",
        LIBRARY["ssd"],
        SSD,
        {"t": 2, "e": 2, "i": 2, "n": 2, "g": 2},
        ("A[e] * dA[e]", "dA[e]"),
    ),
)
