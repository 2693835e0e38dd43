"""The book on whole blocks: feed-forward and attention of a ternary transformer with their inner norms, and the Mamba-1 block.

Each keeps the identity term of its residual, whatever else flows back.
"""

from __future__ import annotations

from codegen_tests.spec.textbook import Row

FEED = """\
given x[t, c], g1[c], wg[f, c], wu[f, c], g2[f], wd[c, f], eps
q1[t] = mean(c) x[t, c] ** 2
r1[t] = rsqrt(q1[t] + eps)
n[t, c] = x[t, c] * r1[t] * g1[c]
gate[t, f] = sum(c) n[t, c] * wg[f, c]
up[t, f] = sum(c) n[t, c] * wu[f, c]
h[t, f] = relu(gate[t, f]) ** 2 * up[t, f]
q2[t] = mean(f) h[t, f] ** 2
r2[t] = rsqrt(q2[t] + eps)
fn[t, f] = h[t, f] * r2[t] * g2[f]
down[t, c] = sum(f) fn[t, f] * wd[c, f]
y[t, c] = x[t, c] + down[t, c]"""
FEED_BACK = """\
given x[t, c], g1[c], wg[f, c], wu[f, c], g2[f], wd[c, f], r1[t], gate[t, f], up[t, f], r2[t], d_y[t, c]
root1[t] = 1 / r1[t]
root2[t] = 1 / r2[t]
n[t, c] = x[t, c] / root1[t] * g1[c]
h[t, f] = max(0, gate[t, f]) ** 2 * up[t, f]
fn[t, f] = h[t, f] / root2[t] * g2[f]
d_wd[c, f] = sum(t) d_y[t, c] * fn[t, f]
d_fn[t, f] = sum(c) d_y[t, c] * wd[c, f]
d_g2[f] = sum(t) d_fn[t, f] * h[t, f] / root2[t]
dot2[t] = sum(f) d_fn[t, f] * g2[f] * h[t, f]
d_h[t, f] = 1 / root2[t] * (d_fn[t, f] * g2[f] - h[t, f] * dot2[t] / (size(f) * root2[t] ** 2))
d_gate[t, f] = d_h[t, f] * up[t, f] * 2 * max(0, gate[t, f])
d_up[t, f] = d_h[t, f] * max(0, gate[t, f]) ** 2
d_wg[f, c] = sum(t) d_gate[t, f] * n[t, c]
d_wu[f, c] = sum(t) d_up[t, f] * n[t, c]
d_n[t, c] = sum(f) (d_gate[t, f] * wg[f, c] + d_up[t, f] * wu[f, c])
d_g1[c] = sum(t) d_n[t, c] * x[t, c] / root1[t]
dot1[t] = sum(c) d_n[t, c] * g1[c] * x[t, c]
d_x[t, c] = d_y[t, c] + 1 / root1[t] * (d_n[t, c] * g1[c] - x[t, c] * dot1[t] / (size(c) * root1[t] ** 2))
out(d_x, d_g1, d_wg, d_wu, d_g2, d_wd)"""

ATTEND = """\
given x[t, c], g1[c], wq[h, i, c], wk[g, i, c], wv[g, i, c], g2[h, i], wo[c, h, i], eps, base, start, scale
q1[t] = mean(c) x[t, c] ** 2
r1[t] = rsqrt(q1[t] + eps)
n[t, c] = x[t, c] * r1[t] * g1[c]
q[h, t, i] = sum(c) n[t, c] * wq[h, i, c]
k[g, t, i] = sum(c) n[t, c] * wk[g, i, c]
v[g, t, i] = sum(c) n[t, c] * wv[g, i, c]
angle[t < size(t), p < size(i) // 2] = (t + start) * base ** (-2 * p / size(i))
qr[h, t, i < size(i)] = where(i < size(i) // 2,
    q[h, t, i] * cos(angle[t, i]) - q[h, t, i + size(i) // 2] * sin(angle[t, i]),
    q[h, t, i - size(i) // 2] * sin(angle[t, i - size(i) // 2]) + q[h, t, i] * cos(angle[t, i - size(i) // 2]))
kr[g, t, i < size(i)] = where(i < size(i) // 2,
    k[g, t, i] * cos(angle[t, i]) - k[g, t, i + size(i) // 2] * sin(angle[t, i]),
    k[g, t, i - size(i) // 2] * sin(angle[t, i - size(i) // 2]) + k[g, t, i] * cos(angle[t, i - size(i) // 2]))
s[h, t, u] = sum(i) scale * qr[h, t, i] * kr[h * size(g) // size(h), u, i]
z[h, t, u] = where(u <= t, s[h, t, u], -1e30)
m[h, t] = max(u) z[h, t, u]
e[h, t, u] = where(u <= t, exp(z[h, t, u] - m[h, t]), 0)
l[h, t] = sum(u) e[h, t, u]
a[h, t, u] = e[h, t, u] / l[h, t]
o[t, h, i] = sum(u) a[h, t, u] * v[h * size(g) // size(h), u, i]
q2[t] = mean(h, i) o[t, h, i] ** 2
r2[t] = rsqrt(q2[t] + eps)
on[t, h, i] = o[t, h, i] * r2[t] * g2[h, i]
w[t, c] = sum(h, i) on[t, h, i] * wo[c, h, i]
y[t, c] = x[t, c] + w[t, c]"""
ATTEND_BACK = """\
given x[t, c], g1[c], wq[h, i, c], wk[g, i, c], wv[g, i, c], g2[h, i], wo[c, h, i], base, start, scale, r1[t], q[h, t, i], k[g, t, i], v[g, t, i], a[h, t, u], r2[t], d_y[t, c]
root1[t] = 1 / r1[t]
root2[t] = 1 / r2[t]
n[t, c] = x[t, c] / root1[t] * g1[c]
theta[t < size(t), p < size(i) // 2] = (t + start) * base ** (-2 * p / size(i))
qr[h, t, i < size(i)] = where(i < size(i) // 2,
    q[h, t, i] * cos(theta[t, i]) - q[h, t, i + size(i) // 2] * sin(theta[t, i]),
    q[h, t, i - size(i) // 2] * sin(theta[t, i - size(i) // 2]) + q[h, t, i] * cos(theta[t, i - size(i) // 2]))
kr[g, t, i < size(i)] = where(i < size(i) // 2,
    k[g, t, i] * cos(theta[t, i]) - k[g, t, i + size(i) // 2] * sin(theta[t, i]),
    k[g, t, i - size(i) // 2] * sin(theta[t, i - size(i) // 2]) + k[g, t, i] * cos(theta[t, i - size(i) // 2]))
o[t, h, i] = sum(u) a[h, t, u] * v[h * size(g) // size(h), u, i]
on[t, h, i] = o[t, h, i] / root2[t] * g2[h, i]
d_wo[c, h, i] = sum(t) d_y[t, c] * on[t, h, i]
d_on[t, h, i] = sum(c) d_y[t, c] * wo[c, h, i]
d_g2[h, i] = sum(t) d_on[t, h, i] * o[t, h, i] / root2[t]
dot2[t] = sum(h, i) d_on[t, h, i] * g2[h, i] * o[t, h, i]
d_o[t, h, i] = 1 / root2[t] * (d_on[t, h, i] * g2[h, i] - o[t, h, i] * dot2[t] / (size(h) * size(i) * root2[t] ** 2))
d_a[h, t, u] = sum(i) d_o[t, h, i] * v[h * size(g) // size(h), u, i]
d_v[g < size(g), u, i] = sum(h, t) where(h * size(g) // size(h) == g, a[h, t, u] * d_o[t, h, i], 0)
dot[h, t] = sum(u) a[h, t, u] * d_a[h, t, u]
d_s[h, t, u] = a[h, t, u] * (d_a[h, t, u] - dot[h, t])
d_qr[h, t, i] = sum(u) scale * d_s[h, t, u] * kr[h * size(g) // size(h), u, i]
d_kr[g < size(g), u, i] = sum(h, t) where(h * size(g) // size(h) == g, scale * d_s[h, t, u] * qr[h, t, i], 0)
d_q[h, t, i < size(i)] = where(i < size(i) // 2,
    d_qr[h, t, i] * cos(theta[t, i]) + d_qr[h, t, i + size(i) // 2] * sin(theta[t, i]),
    -d_qr[h, t, i - size(i) // 2] * sin(theta[t, i - size(i) // 2]) + d_qr[h, t, i] * cos(theta[t, i - size(i) // 2]))
d_k[g, t, i < size(i)] = where(i < size(i) // 2,
    d_kr[g, t, i] * cos(theta[t, i]) + d_kr[g, t, i + size(i) // 2] * sin(theta[t, i]),
    -d_kr[g, t, i - size(i) // 2] * sin(theta[t, i - size(i) // 2]) + d_kr[g, t, i] * cos(theta[t, i - size(i) // 2]))
d_wq[h, i, c] = sum(t) d_q[h, t, i] * n[t, c]
d_wk[g, i, c] = sum(t) d_k[g, t, i] * n[t, c]
d_wv[g, i, c] = sum(t) d_v[g, t, i] * n[t, c]
from_q[t, c] = sum(h, i) d_q[h, t, i] * wq[h, i, c]
from_kv[t, c] = sum(g, i) (d_k[g, t, i] * wk[g, i, c] + d_v[g, t, i] * wv[g, i, c])
d_n[t, c] = from_q[t, c] + from_kv[t, c]
d_g1[c] = sum(t) d_n[t, c] * x[t, c] / root1[t]
dot1[t] = sum(c) d_n[t, c] * g1[c] * x[t, c]
d_x[t, c] = d_y[t, c] + 1 / root1[t] * (d_n[t, c] * g1[c] - x[t, c] * dot1[t] / (size(c) * root1[t] ** 2))
out(d_x, d_g1, d_wq, d_wk, d_wv, d_g2, d_wo)"""

MAMBA = """\
given x[t, m], g[m], wi[j, m], bi[j], wc[d, k], bc[d], wx[s, d], bx[s], wt[d, r], bt[d], A_log[d, n], D[d], wo[m, d], bo[m], eps
q[t] = mean(m) x[t, m] ** 2
r1[t] = rsqrt(q[t] + eps)
v[t, m] = x[t, m] * r1[t] * g[m]
w0[t, j] = sum(m) v[t, m] * wi[j, m]
xz[t, j] = w0[t, j] + bi[j]
left[t, d < size(j) // 2] = xz[t, d]
gate[t, d < size(j) // 2] = xz[t, d + size(j) // 2]
p[t, d] = sum(k) wc[d, k] * left[t - k, d]
c[t, d] = bc[d] + p[t, d]
u[t, d] = silu(c[t, d])
w1[t, s] = sum(d) u[t, d] * wx[s, d]
low[t, s] = w1[t, s] + bx[s]
dt[t, r < size(s) - 2 * size(n)] = low[t, r]
B[t, n < size(n)] = low[t, n + size(s) - 2 * size(n)]
C[t, n < size(n)] = low[t, n + size(s) - size(n)]
w2[t, d] = sum(r) dt[t, r] * wt[d, r]
delta[t, d] = w2[t, d] + bt[d]
dv[t, d] = softplus(delta[t, d])
a[d, n] = -exp(clamp(A_log[d, n], -10, 5))
Ab[t, d, n] = exp(dv[t, d] * a[d, n])
h[t, d, n] = scan(t) Ab[t, d, n] * h[t - 1, d, n] + (Ab[t, d, n] - 1) / a[d, n] * B[t, n] * u[t, d]
o[t, d] = sum(n) C[t, n] * h[t, d, n]
y[t, d] = (o[t, d] + D[d] * u[t, d]) * silu(gate[t, d])
w3[t, m] = sum(d) y[t, d] * wo[m, d]
z[t, m] = x[t, m] + w3[t, m] + bo[m]"""
MAMBA_BACK = """\
given x[t, m], g[m], wi[j, m], wc[d, k], wx[s, d], wt[d, r], A_log[d, n], D[d], wo[m, d], r1[t], left[t, d], gate[t, d], c[t, d], dt[t, r], B[t, n], C[t, n], delta[t, d], dv[t, d], Ab[t, d, n], h[t, d, n], d_z[t, m]
root[t] = 1 / r1[t]
v[t, m] = x[t, m] / root[t] * g[m]
u[t, d] = c[t, d] / (1 + exp(-c[t, d]))
a[d, n] = -exp(clamp(A_log[d, n], -10, 5))
Bb[t, d, n] = (Ab[t, d, n] - 1) / a[d, n] * B[t, n]
o[t, d] = sum(n) C[t, n] * h[t, d, n]
scanned[t, d] = o[t, d] + D[d] * u[t, d]
sig[t, d] = 1 / (1 + exp(-gate[t, d]))
d_bo[m] = sum(t) d_z[t, m]
d_wo[m, d] = sum(t) d_z[t, m] * scanned[t, d] * gate[t, d] * sig[t, d]
d_out[t, d] = sum(m) d_z[t, m] * wo[m, d]
d_gate[t, d] = d_out[t, d] * scanned[t, d] * sig[t, d] * (1 + gate[t, d] * (1 - sig[t, d]))
dy[t, d] = d_out[t, d] * gate[t, d] * sig[t, d]
dh[t, d, n] = scan(t) dy[t, d] * C[t, n] + dh[t + 1, d, n] * Ab[t + 1, d, n]
d_C[t, n] = sum(d) dy[t, d] * h[t, d, n]
dAb[t, d, n] = dh[t, d, n] * h[t - 1, d, n]
dBb[t, d, n] = dh[t, d, n] * u[t, d]
scan_u[t, d] = sum(n) dh[t, d, n] * Bb[t, d, n]
d_D[d] = sum(t) dy[t, d] * u[t, d]
ddv[t, d] = sum(n) (dAb[t, d, n] * a[d, n] * Ab[t, d, n] + dBb[t, d, n] * Ab[t, d, n] * B[t, n])
da[d, n] = sum(t) (dAb[t, d, n] * dv[t, d] * Ab[t, d, n]
    + dBb[t, d, n] * B[t, n] * (dv[t, d] * Ab[t, d, n] * a[d, n] - (Ab[t, d, n] - 1)) / a[d, n] ** 2)
d_B[t, n] = sum(d) dBb[t, d, n] * (Ab[t, d, n] - 1) / a[d, n]
d_A_log[d, n] = where(A_log[d, n] >= -10 and A_log[d, n] <= 5, da[d, n] * a[d, n], 0)
d_delta[t, d] = ddv[t, d] / (1 + exp(-delta[t, d]))
d_bt[d] = sum(t) d_delta[t, d]
d_wt[d, r] = sum(t) d_delta[t, d] * dt[t, r]
d_dt[t, r] = sum(d) d_delta[t, d] * wt[d, r]
d_low[t, s < size(r) + 2 * size(n)] = where(s < size(r), d_dt[t, s], d_B[t, s - size(r)] + d_C[t, s - size(r) - size(n)])
d_bx[s] = sum(t) d_low[t, s]
d_wx[s, d] = sum(t) d_low[t, s] * u[t, d]
low_u[t, d] = sum(s) d_low[t, s] * wx[s, d]
d_u[t, d] = scan_u[t, d] + dy[t, d] * D[d] + low_u[t, d]
sc[t, d] = 1 / (1 + exp(-c[t, d]))
d_c[t, d] = d_u[t, d] * sc[t, d] * (1 + c[t, d] * (1 - sc[t, d]))
d_bc[d] = sum(t) d_c[t, d]
d_wc[d, k < size(k)] = sum(t) d_c[t, d] * left[t - k, d]
d_in[t, d] = sum(k) d_c[t + k, d] * wc[d, k]
d_xz[t, j < 2 * size(d)] = where(j < size(d), d_in[t, j], d_gate[t, j - size(d)])
d_bi[j] = sum(t) d_xz[t, j]
d_wi[j, m] = sum(t) d_xz[t, j] * v[t, m]
d_v[t, m] = sum(j) d_xz[t, j] * wi[j, m]
d_g[m] = sum(t) d_v[t, m] * x[t, m] / root[t]
dot[t] = sum(m) d_v[t, m] * g[m] * x[t, m]
d_x[t, m] = d_z[t, m] + 1 / root[t] * (d_v[t, m] * g[m] - x[t, m] * dot[t] / (size(m) * root[t] ** 2))
out(d_x, d_g, d_wi, d_bi, d_wc, d_bc, d_wx, d_bx, d_wt, d_bt, d_A_log, d_D, d_wo, d_bo)"""

ROWS = (
    Row(
        "feed-forward block",
        FEED,
        FEED_BACK,
        {"t": 2, "c": 2, "f": 2},
        ("d_y[t, c] + 1 / root1[t]", "1 / root1[t]"),
        free=("r1", "gate", "up", "r2"),
        larger={"t": 3, "c": 3, "f": 4},
    ),
    Row(
        "attention block",
        ATTEND,
        ATTEND_BACK,
        {"t": 2, "c": 1, "h": 1, "g": 1, "i": 2},
        ("d_y[t, c] + 1 / root1[t]", "1 / root1[t]"),
        free=("r1", "q", "k", "v", "a", "r2"),
        larger={"t": 3, "c": 3, "h": 4, "g": 2, "i": 4},
    ),
    Row(
        "selective state space block",
        MAMBA,
        MAMBA_BACK,
        {"t": 2, "m": 1, "j": 2, "d": 1, "k": 2, "s": 3, "r": 1, "n": 1},
        ("d_z[t, m] + 1 / root[t]", "1 / root[t]"),
        free=("r1", "left", "gate", "c", "dt", "B", "C", "delta", "dv", "Ab", "h"),
        larger={"t": 4, "m": 2, "j": 6, "d": 3, "k": 4, "s": 6, "r": 2, "n": 2},
    ),
)
