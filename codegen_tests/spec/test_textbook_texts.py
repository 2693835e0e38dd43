"""Backwards that print, letter for letter, as the textbook has them."""

from __future__ import annotations

import pytest

from shaderdsl.spec.derive import vjp
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec

EXPECTED = {
    "softmax": (
        """\
m[i] = max(j) x[i, j]
e[i, j] = exp(x[i, j] - m[i])
s[i] = sum(j) e[i, j]
y[i, j] = e[i, j] / s[i]""",
        """\
p[i] = sum(j) y[i, j] * d_y[i, j]
d_x[i, j] = y[i, j] * (d_y[i, j] - p[i])""",
    ),
    "RMS norm": (
        """\
given x[t, i], g[i], eps
q[t] = mean(i) x[t, i] ** 2
r[t] = rsqrt(q[t] + eps)
y[t, i] = x[t, i] * r[t] * g[i]""",
        """\
p[t] = sum(i) x[t, i] * g[i] * d_y[t, i]
d_x[t, i] = r[t] * (g[i] * d_y[t, i] - x[t, i] * r[t] ** 2 * p[t] / size(i))
d_g[i] = sum(t) x[t, i] * r[t] * d_y[t, i]
out(d_x, d_g)""",
    ),
    "layer norm": (
        """\
given x[t, i], eps
mu[t] = mean(i) x[t, i]
c[t, i] = x[t, i] - mu[t]
v[t] = mean(i) c[t, i] ** 2
r[t] = rsqrt(v[t] + eps)
y[t, i] = c[t, i] * r[t]""",
        """\
p[t] = sum(i) y[t, i] * d_y[t, i]
p2[t] = sum(i) d_y[t, i]
d_x[t, i] = r[t] * (d_y[t, i] - y[t, i] * p[t] / size(i) - p2[t] / size(i))""",
    ),
    "attention": (
        """\
given q[t, c], k[u, c], v[u, d], scale
p[t, u] = sum(c) q[t, c] * k[u, c]
s[t, u] = scale * p[t, u]
m[t] = max(u) s[t, u]
e[t, u] = exp(s[t, u] - m[t])
l[t] = sum(u) e[t, u]
a[t, u] = e[t, u] / l[t]
o[t, d] = sum(u) a[t, u] * v[u, d]""",
        """\
p2[t, u] = sum(d) v[u, d] * d_o[t, d]
p3[t] = sum(u) a[t, u] * p2[t, u]
d_p[t, u] = scale * a[t, u] * (p2[t, u] - p3[t])
d_q[t, c] = sum(u) k[u, c] * d_p[t, u]
d_k[u, c] = sum(t) q[t, c] * d_p[t, u]
d_v[u, d] = sum(t) a[t, u] * d_o[t, d]
out(d_q, d_k, d_v)""",
    ),
    "cross entropy": (
        """\
given x[t, v], label[t]: i32
m[t] = max(v) x[t, v]
s[t] = sum(v) exp(x[t, v] - m[t])
each[t] = m[t] + log(s[t]) - x[t, label[t]]
loss = mean(t) each[t]""",
        """\
d_each[t < size(t)] = d_loss / size(t)
d_x[t, v] = d_each[t] * exp(x[t, v] - m[t]) / s[t] - where(label[t] == v, d_each[t], 0)""",
    ),
    "masked softmax": (
        """\
given x[i, j], mask[i, j]: i32
z[i, j] = where(mask[i, j] != 0, x[i, j], -1e30)
m[i] = max(j) z[i, j]
e[i, j] = where(mask[i, j] != 0, exp(z[i, j] - m[i]), 0)
s[i] = sum(j) e[i, j]
y[i, j] = where(mask[i, j] != 0, e[i, j] / s[i], 0)""",
        """\
p[i] = sum(j) y[i, j] * d_y[i, j]
d_x[i, j] = y[i, j] * (d_y[i, j] - p[i])""",
    ),
    "causal softmax": (
        """\
given x[i, j]
z[i, j] = where(j <= i, x[i, j], -1e30)
m[i] = max(j) z[i, j]
e[i, j] = where(j <= i, exp(z[i, j] - m[i]), 0)
s[i] = sum(j) e[i, j]
y[i, j] = e[i, j] / s[i]""",
        """\
p[i] = sum(j) y[i, j] * d_y[i, j]
d_x[i, j] = y[i, j] * (d_y[i, j] - p[i])""",
    ),
    "masked log softmax": (
        """\
given x[i, j], mask[i, j]: i32, fill
z[i, j] = where(mask[i, j] != 0, x[i, j], -1e30)
m[i] = max(j) z[i, j]
s[i] = sum(j) where(mask[i, j] != 0, exp(z[i, j] - m[i]), 0)
y[i, j] = where(mask[i, j] != 0, x[i, j] - m[i] - log(s[i]), fill)""",
        """\
p[i] = sum(j) where(mask[i, j] != 0, d_y[i, j], 0)
d_x[i, j] = where(mask[i, j] != 0, d_y[i, j] - p[i] * exp(z[i, j] - m[i]) / s[i], 0)""",
    ),
    "masked attention": (
        """\
given q[t, c], k[u, c], v[u, d], keep[u]: i32, scale
p[t, u] = sum(c) q[t, c] * k[u, c]
z[t, u] = where(keep[u] != 0, scale * p[t, u], -1e30)
m[t] = max(u) z[t, u]
e[t, u] = where(keep[u] != 0, exp(z[t, u] - m[t]), 0)
l[t] = sum(u) e[t, u]
a[t, u] = e[t, u] / l[t]
o[t, d] = sum(u) a[t, u] * v[u, d]""",
        """\
p2[t, u] = sum(d) v[u, d] * d_o[t, d]
p3[t] = sum(u) a[t, u] * p2[t, u]
d_p[t, u] = scale * a[t, u] * (p2[t, u] - p3[t])
d_q[t, c] = sum(u) k[u, c] * d_p[t, u]
d_k[u, c] = sum(t) q[t, c] * d_p[t, u]
d_v[u, d] = sum(t) a[t, u] * d_o[t, d]
out(d_q, d_k, d_v)""",
    ),
    "masked cross entropy": (
        """\
given x[t, v], label[t]: i32
m[t] = max(v) x[t, v]
s[t] = sum(v) exp(x[t, v] - m[t])
counted[t] = label[t] >= 0 and label[t] < size(v)
n = sum(t) where(counted[t], 1, 0)
each[t] = where(counted[t], m[t] + log(s[t]) - x[t, label[t]; 0], 0)
total = sum(t) each[t]
loss = total / max(n, 1)""",
        """\
d_each[t < size(t)] = d_loss / max(n, 1)
d_x[t, v] = where(counted[t], d_each[t] * exp(x[t, v] - m[t]) / s[t] - where(label[t] == v, d_each[t], 0), 0)""",
    ),
    "layer norm with affine": (
        """\
given x[t, i], g[i], b[i], eps
mu[t] = mean(i) x[t, i]
c[t, i] = x[t, i] - mu[t]
v[t] = mean(i) c[t, i] ** 2
r[t] = rsqrt(v[t] + eps)
y[t, i] = c[t, i] * r[t] * g[i] + b[i]""",
        """\
p[t] = sum(i) c[t, i] * g[i] * d_y[t, i]
p2[t] = sum(i) g[i] * d_y[t, i]
d_x[t, i] = r[t] * (g[i] * d_y[t, i] - c[t, i] * r[t] ** 2 * p[t] / size(i) - p2[t] / size(i))
d_g[i] = sum(t) c[t, i] * r[t] * d_y[t, i]
d_b[i] = sum(t) d_y[t, i]
out(d_x, d_g, d_b)""",
    ),
    "pooling by attention": (
        """\
given x[b, t, c], z[b, t]
m[b] = max(t) z[b, t]
e[b, t] = exp(z[b, t] - m[b])
l[b] = sum(t) e[b, t]
y[b, c] = sum(t) e[b, t] / l[b] * x[b, t, c]""",
        """\
p[b] = sum(c, t) e[b, t] * x[b, t, c] * d_y[b, c]
p2[b, t] = sum(c) x[b, t, c] * d_y[b, c]
d_x[b, t, c] = e[b, t] * d_y[b, c] / l[b]
d_z[b, t] = e[b, t] * (p2[b, t] - p[b] / l[b]) / l[b]
out(d_x, d_z)""",
    ),
    "squared relu gate": (
        "given g[i], u[i]\nh[i] = relu(g[i]) ** 2 * u[i]",
        "d_g[i] = 2 * u[i] * d_h[i] * relu(g[i])\nd_u[i] = d_h[i] * relu(g[i]) ** 2\nout(d_g, d_u)",
    ),
}


def derived_lines(formula: str) -> list[str]:
    """What the backward adds to the forward."""
    spec = parse_spec("op", formula)
    forward = {t.name for s in spec.stages for t in s.targets} | {"given"}
    lines = format_spec(vjp(spec)).splitlines()
    return [line for line in lines if line.partition("[")[0].partition(" ")[0] not in forward]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_backward_prints_as_the_textbook_has_it(name: str) -> None:
    formula, backward = EXPECTED[name]
    assert derived_lines(formula) == backward.splitlines()
