"""Recurrences along time: cumulative sums, linear recurrences, and the state spaces of Mamba-1 and Mamba-2."""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

OPS = (
    Definition("cumulative_sum", "y[b, t] = scan(t) y[b, t - 1] + x[b, t]", identities=("transpose",)),
    Definition("linear_recurrence", "h[b, t] = scan(t) h[b, t - 1] * a[b, t] + u[b, t]"),
    Definition(
        "selective_scan",
        """\
given u[b, t, d], delta[b, t, d], A_log[d, n], B[b, t, n], C[b, t, n], D[d]
a[d, n] = -exp(clamp(A_log[d, n], -10, 5))
dv[b, t, d] = softplus(delta[b, t, d])
Ab[b, t, d, n] = exp(dv[b, t, d] * a[d, n])
Bb[b, t, d, n] = dv[b, t, d] * exprel(dv[b, t, d] * a[d, n]) * B[b, t, n]
h[b, t, d, n] = scan(t) Ab[b, t, d, n] * h[b, t - 1, d, n] + Bb[b, t, d, n] * u[b, t, d]
o[b, t, d] = sum(n) C[b, t, n] * h[b, t, d, n]
y[b, t, d] = o[b, t, d] + D[d] * u[b, t, d]""",
        spread={"A_log": 8.0},
    ),
    Definition(
        "ssd",
        """\
given x[t, e, i], dt_raw[t, e], dt_bias[e], A_log[e], B[t, g, n], C[t, g, n], D[e]
dt[t, e] = softplus(dt_raw[t, e] + dt_bias[e])
a[t, e] = exp(-exp(A_log[e]) * dt[t, e])
h[t, e, n < size(n), i] = scan(t) a[t, e] * h[t - 1, e, n, i] + dt[t, e] * B[t, e * size(g) // size(e), n] * x[t, e, i]
o[t, e, i] = sum(n) C[t, e * size(g) // size(e), n] * h[t, e, n, i]
y[t, e, i] = o[t, e, i] + D[e] * x[t, e, i]""",
        sizes={"e": "g"},
        # exp(A_log) is a number of the model: a float32.
        within={"A_log": 88.0},
    ),
)
