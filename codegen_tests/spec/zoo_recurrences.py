"""Recurrences: filters, cells, running statistics, dynamic programmes, simulations."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from codegen_tests.spec.zoo import Animal, Array, animal, sigmoid


def along(step: Callable[..., Array], start: Array, *columns: Array) -> Array:
    """h[t] = step(h[t - 1], columns at t) over axis 0, all steps."""
    found = []
    for row in zip(*columns):
        start = step(start, *row)
        found.append(start)
    return np.array(found)


def lstm(x: Array, w: Array, r: Array) -> Array:
    """Gates i, f, g, o as rows of w[4, c] and r[4, c]; cells do not mix."""
    h, c = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    found = []
    for row in x:
        i, f, g, o = (w[k] * row + r[k] * h for k in range(4))
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        found.append(h)
    return np.array(found)


def gru(x: Array, w: Array, r: Array) -> Array:
    def step(h: Array, row: Array) -> Array:
        z, s = sigmoid(w[0] * row + r[0] * h), sigmoid(w[1] * row + r[1] * h)
        return (1 - z) * h + z * np.tanh(w[2] * row + r[2] * (s * h))

    return along(step, np.zeros(x.shape[1]), x)


def sinkhorn(c: Array) -> Array:
    k = np.exp(-c)
    u, v = np.ones(k.shape[0]), np.ones(k.shape[1])
    for _ in range(2):
        u = 1 / (k @ v)
        v = 1 / (k.T @ u)
    return u[:, None] * k * v


def kalman(z: Array, q: float, r: float) -> Array:
    m, p, found = 0.0, 1.0, []
    for value in z:
        p = p + q
        gain = p / (p + r)
        m, p = m + gain * (value - m), (1 - gain) * p
        found.append(m)
    return np.array(found)


def two_states(e: Array, a: float, b: float) -> Array:
    m = np.array([[1 - a, a], [b, 1 - b]])
    f, found = np.array([0.5, 0.5]), []
    for row in e:
        f = (f @ m) * row
        found.append(f)
    return np.array(found)


RECURRENCES: dict[str, Animal] = {
    "ema": animal(
        "given x[t, c], a\nh[t, c] = scan(t) a * h[t - 1, c] + (1 - a) * x[t, c]",
        lambda x, a: along(lambda h, r: a * h + (1 - a) * r, np.zeros(2), x),
        x="n+1 2",
        a=0.9,
    ),
    "ema_debiased": animal(
        """
        given x[t, c], a
        h[t, c] = scan(t) a * h[t - 1, c] + (1 - a) * x[t, c]
        y[t, c] = h[t, c] / (1 - a ** (t + 1))
        """,
        None,
        x="n+1 2",
        a=0.7,
    ),
    "indrnn": animal(
        "given x[b, t, c], u[c]\nh[b, t, c] = scan(t) tanh(u[c] * h[b, t - 1, c] + x[b, t, c])",
        lambda x, u: along(lambda h, r: np.tanh(u * h + r), np.zeros((2, 3)), x.swapaxes(0, 1)).swapaxes(0, 1),
        x="2 n+1 3",
        u="3",
    ),
    "gru": animal(
        """
        given x[t, c], w[k, c], r[k, c]
        h[t, c] = scan(t) ((1 - sigmoid(w[0, c] * x[t, c] + r[0, c] * h[t - 1, c])) * h[t - 1, c]
            + sigmoid(w[0, c] * x[t, c] + r[0, c] * h[t - 1, c]) * tanh(w[2, c] * x[t, c]
            + r[2, c] * (sigmoid(w[1, c] * x[t, c] + r[1, c] * h[t - 1, c]) * h[t - 1, c])))
        """,
        gru,
        x="n+1 2",
        w="3 2",
        r="3 2",
    ),
    "lstm": animal(
        """
        given x[t, c], w[k, c], r[k, c]
        h[t, c], s[t, c] = scan(t) sigmoid(w[3, c] * x[t, c] + r[3, c] * h[t - 1, c]) * tanh(sigmoid(w[1, c] * x[t, c] + r[1, c] * h[t - 1, c]) * s[t - 1, c] + sigmoid(w[0, c] * x[t, c] + r[0, c] * h[t - 1, c]) * tanh(w[2, c] * x[t, c] + r[2, c] * h[t - 1, c])), sigmoid(w[1, c] * x[t, c] + r[1, c] * h[t - 1, c]) * s[t - 1, c] + sigmoid(w[0, c] * x[t, c] + r[0, c] * h[t - 1, c]) * tanh(w[2, c] * x[t, c] + r[2, c] * h[t - 1, c])
        out(h)
        """,
        lstm,
        x="n+1 2",
        w="4 2",
        r="4 2",
    ),
    "sru": animal(
        """
        given x[t, c], f[t, c], r[t, c]
        s[t, c] = scan(t) sigmoid(f[t, c]) * s[t - 1, c] + (1 - sigmoid(f[t, c])) * x[t, c]
        y[t, c] = sigmoid(r[t, c]) * tanh(s[t, c]) + (1 - sigmoid(r[t, c])) * x[t, c]
        """,
        lambda x, f, r: (
            sigmoid(r) * np.tanh(along(lambda h, a, b: sigmoid(b) * h + (1 - sigmoid(b)) * a, np.zeros(2), x, f))
            + (1 - sigmoid(r)) * x
        ),
        x="n+1 2",
        f="n+1 2",
        r="n+1 2",
    ),
    "min_gru_start": animal(
        "given z[t, c], x[t, c], h0[c]\n"
        "h[t, c] = scan(t, start=h0[c]) (1 - sigmoid(z[t, c])) * h[t - 1, c] + sigmoid(z[t, c]) * x[t, c]",
        lambda z, x, h0: along(lambda h, a, b: (1 - sigmoid(a)) * h + sigmoid(a) * b, h0, z, x),
        z="n+1 2",
        x="n+1 2",
        h0="2",
    ),
    "leaky_integrator": animal(
        "given x[t], leak\nv[t] = scan(t) clamp(leak * v[t - 1] + x[t], -1.2, 1.2)",
        lambda x, leak: along(lambda v, r: np.clip(leak * v + r, -1.2, 1.2), 0.0, x),
        x="n+2",
        leak=0.8,
    ),
    "biquad": animal(
        """
        given x[t], b0, b1, b2, a1, a2
        f[t] = b0 * x[t] + b1 * x[t - 1] + b2 * x[t - 2]
        y[t], z[t] = scan(t) f[t] - a1 * y[t - 1] - a2 * z[t - 1], y[t - 1]
        out(y)
        """,
        None,
        x="n+2",
        b0=0.5,
        b1=0.3,
        b2=0.1,
        a1=-0.6,
        a2=0.2,
    ),
    "allpass": animal(
        "given x[t, c], g[c]\ns[t, c] = scan(t) x[t, c] - g[c] * s[t - 1, c]\ny[t, c] = g[c] * s[t, c] + s[t - 1, c]",
        None,
        x="n+2 2",
        g="unit: 2",
    ),
    "discounted_return": animal(
        "given r[t], done[t], gamma\ng[t] = scan(t) r[t] + gamma * (1 - done[t]) * g[t + 1]",
        lambda r, done, gamma: along(lambda g, a, d: a + gamma * (1 - d) * g, 0.0, r[::-1], done[::-1])[::-1],
        r="n+1",
        done="unit: n+1",
        gamma=0.9,
    ),
    "gae": animal(
        """
        given r[t], v[t], last, gamma, lam
        delta[t] = r[t] + gamma * v[t + 1; last] - v[t]
        a[t] = scan(t) delta[t] + gamma * lam * a[t + 1]
        """,
        lambda r, v, last, gamma, lam: along(
            lambda a, d: d + gamma * lam * a, 0.0, (r + gamma * np.append(v[1:], last) - v)[::-1]
        )[::-1],
        r="n+1",
        v="n+1",
        last=0.4,
        gamma=0.9,
        lam=0.8,
    ),
    "cumulative_sum": animal("s[i, t] = scan(t) s[i, t - 1] + x[i, t]", lambda x: x.cumsum(1), x="2 n"),
    "reverse_cumulative_sum": animal(
        "s[i, t] = scan(t) s[i, t + 1] + x[i, t]", lambda x: x[:, ::-1].cumsum(1)[:, ::-1], x="2 n"
    ),
    "cumulative_max": animal(
        "m[i, t] = scan(t, start=-1e30) max(m[i, t - 1], x[i, t])",
        lambda x: np.maximum.accumulate(x, 1),
        x="spread: 2 n+1",
    ),
    "cumulative_min": animal(
        "m[i, t] = scan(t, start=1e30) min(m[i, t - 1], x[i, t])",
        lambda x: np.minimum.accumulate(x, 1),
        x="spread: 2 n+1",
    ),
    "cumulative_product": animal(
        "p[i, t] = scan(t, start=1) p[i, t - 1] * x[i, t]", lambda x: x.cumprod(1), x="positive: 2 n+1"
    ),
    "cumulative_logsumexp": animal(
        """
        given x[t]
        m[t] = scan(t, start=-1e30) max(m[t - 1], x[t])
        l[t] = scan(t) l[t - 1] * exp(m[t - 1; -1e30] - m[t]) + exp(x[t] - m[t])
        y[t] = m[t] + log(l[t])
        """,
        lambda x: np.logaddexp.accumulate(x),
        x="spread: n+1",
    ),
    "logaddexp_scan": animal(
        "y[t] = scan(t, start=-50) max(y[t - 1], x[t]) + softplus(-abs(y[t - 1] - x[t]))",
        lambda x: np.logaddexp.accumulate(np.append(-50.0, x))[1:],
        x="n+1",
    ),
    "two_state_forward": animal(
        """
        given e[t, k], a, b
        f[t], g[t] = scan(t, start=(0.5, 0.5)) ((1 - a) * f[t - 1] + b * g[t - 1]) * e[t, 0], (a * f[t - 1] + (1 - b) * g[t - 1]) * e[t, 1]
        y[t, k < 2] = where(k == 0, f[t], g[t])
        """,
        two_states,
        e="positive: n+1 2",
        a=0.3,
        b=0.2,
    ),
    "kalman_scalar": animal(
        """
        given z[t], q, r
        m[t], p[t] = scan(t, start=(0, 1)) m[t - 1] + (p[t - 1] + q) / (p[t - 1] + q + r) * (z[t] - m[t - 1]), (1 - (p[t - 1] + q) / (p[t - 1] + q + r)) * (p[t - 1] + q)
        out(m)
        """,
        kalman,
        z="n+1",
        q=0.1,
        r=0.5,
    ),
    "holt": animal(
        """
        given x[t], a, b
        l[t], s[t] = scan(t) a * x[t] + (1 - a) * (l[t - 1] + s[t - 1]), b * (a * x[t] + (1 - a) * (l[t - 1] + s[t - 1]) - l[t - 1]) + (1 - b) * s[t - 1]
        y[t] = l[t] + s[t]
        """,
        None,
        x="n+2",
        a=0.5,
        b=0.3,
    ),
    "sinkhorn": animal(
        """
        k[i, j] = exp(-c[i, j])
        r1[i] = sum(j) k[i, j]
        s1[j] = sum(i) k[i, j] / r1[i]
        r2[i] = sum(j) k[i, j] / s1[j]
        s2[j] = sum(i) k[i, j] / r2[i]
        p[i, j] = k[i, j] / (r2[i] * s2[j])
        """,
        sinkhorn,
        c="n n+1",
    ),
    "power_iteration": animal(
        """
        v1[i] = sum(j) a[i, j] * v[j]
        n1 = sum(i) v1[i] ** 2
        u1[i] = v1[i] * rsqrt(n1)
        v2[i] = sum(j) a[i, j] * u1[j]
        n2 = sum(i) v2[i] ** 2
        u2[i] = v2[i] * rsqrt(n2)
        v3[i] = sum(j) a[i, j] * u2[j]
        top = sum(i) u2[i] * v3[i]
        """,
        None,
        a="n+1 n+1",
        v="n+1",
    ),
    "logistic_map": animal(
        "given r[c], x0[c], steps: i32\nx[c, t < steps] = scan(t, start=x0[c]) r[c] * x[c, t - 1] * (1 - x[c, t - 1])",
        lambda r, x0, steps: along(lambda x, _: r * x * (1 - x), x0, np.zeros(steps)).T,
        r="positive: n",
        x0="unit: n",
        steps=5,
    ),
    "sir_model": animal(
        """
        given beta[t], gamma, s0, i0
        s[t], i[t] = scan(t, start=(s0, i0)) s[t - 1] - beta[t] * s[t - 1] * i[t - 1], i[t - 1] + beta[t] * s[t - 1] * i[t - 1] - gamma * i[t - 1]
        out(s, i)
        """,
        None,
        beta="unit: n+2",
        gamma=0.2,
        s0=0.9,
        i0=0.1,
    ),
    "pendulum": animal(
        """
        given force[t], dt, q0, p0
        q[t], p[t] = scan(t, start=(q0, p0)) q[t - 1] + dt * p[t - 1], p[t - 1] + dt * (force[t] - sin(q[t - 1] + dt * p[t - 1]))
        energy[t] = p[t] ** 2 / 2 - cos(q[t])
        """,
        None,
        force="n+2",
        dt=0.1,
        q0=0.5,
        p0=-0.2,
    ),
    "horner": animal(
        "given c[k], x[i]\np[i, k] = scan(k) p[i, k - 1] * x[i] + c[k]\ny[i] = p[i, size(k) - 1]",
        lambda c, x: np.polyval(c, x),
        c="n+2",
        x="3",
    ),
    "chebyshev": animal(
        """
        given x[i], c[k]
        a[i, k < size(k)], b[i, k < size(k)] = scan(k, start=(1, x[i])) b[i, k - 1], 2 * x[i] * b[i, k - 1] - a[i, k - 1]
        y[i] = sum(k) c[k] * (2 * x[i] * a[i, k] - b[i, k])
        """,
        lambda x, c: np.polynomial.chebyshev.chebval(x, c),
        x="unit: 3",
        c="n+2",
    ),
    "running_mean": animal(
        "m[t] = scan(t) m[t - 1] + (x[t] - m[t - 1]) / (t + 1)",
        lambda x: x.cumsum() / np.arange(1, len(x) + 1),
        x="n+1",
    ),
    "welford": animal(
        """
        m[t], s[t] = scan(t) m[t - 1] + (x[t] - m[t - 1]) / (t + 1), s[t - 1] + (x[t] - m[t - 1]) * (x[t] - m[t - 1] - (x[t] - m[t - 1]) / (t + 1))
        v[t] = s[t] / (t + 1)
        """,
        lambda x: np.array([x[: i + 1].var() for i in range(len(x))]),
        x="n+1",
    ),
    "count_runs": animal(
        "given x[t]: i32\nc[t] = scan(t) where(x[t] != 0, c[t - 1] + 1, 0)",
        lambda x: along(lambda c, r: np.where(r != 0, c + 1, 0), np.int64(0), x),
        x="below 2: n+2",
    ),
    "transmittance": animal(
        """
        given sigma[r, t], colour[r, t, c], step
        alpha[r, t] = 1 - exp(-sigma[r, t] * step)
        left[r, t] = scan(t, start=1) left[r, t - 1] * (1 - alpha[r, t])
        w[r, t] = left[r, t - 1; 1] * alpha[r, t]
        y[r, c] = sum(t) w[r, t] * colour[r, t, c]
        """,
        None,
        sigma="positive: 2 n+1",
        colour="2 n+1 3",
        step=0.5,
    ),
    "ctc_three_labels": animal(
        """
        given p[t, k]
        a[t], b[t], c[t] = scan(t, start=(1, 0, 0)) a[t - 1] * p[t, 0], (a[t - 1] + b[t - 1]) * p[t, 1], (b[t - 1] + c[t - 1]) * p[t, 2]
        loss = -log(b[size(t) - 1] + c[size(t) - 1])
        """,
        None,
        p="unit: n+2 3",
    ),
    "spike_and_reset": animal(
        """
        given x[t, c], leak
        v[t, c] = scan(t) leak * v[t - 1, c] * stop_gradient(where(v[t - 1, c] > 1, 0, 1)) + x[t, c]
        y[t, c] = straight_through(where(v[t, c] > 1, 1, 0), as=sigmoid(4 * (v[t, c] - 1)))
        """,
        None,
        x="n+1 2",
        leak=0.8,
    ),
    "adam_over_time": animal(
        """
        given g[t, c], w0[c], lr, b1, b2
        m[t, c] = scan(t) b1 * m[t - 1, c] + (1 - b1) * g[t, c]
        v[t, c] = scan(t) b2 * v[t - 1, c] + (1 - b2) * g[t, c] ** 2
        w[t, c] = scan(t, start=w0[c]) w[t - 1, c] - lr * m[t, c] / (1 - b1 ** (t + 1)) / (sqrt(v[t, c] / (1 - b2 ** (t + 1))) + 1e-3)
        """,
        None,
        g="n+1 2",
        w0="2",
        lr=0.1,
        b1=0.9,
        b2=0.99,
    ),
    "gated_delta_diagonal": animal(
        """
        given q[t, c], k[t, c], v[t, c], beta[t], g[t]
        s[t, c] = scan(t) exp(-softplus(g[t])) * s[t - 1, c] * (1 - sigmoid(beta[t]) * k[t, c] ** 2) + sigmoid(beta[t]) * k[t, c] * v[t, c]
        o[t, c] = s[t, c] * q[t, c]
        """,
        None,
        q="n+1 2",
        k="n+1 2",
        v="n+1 2",
        beta="n+1",
        g="n+1",
    ),
    "s4d_real": animal(
        """
        given u[b, t], a_log[n], c[n], dt
        a[n] = -exp(a_log[n])
        x[b, t, n] = scan(t) exp(dt * a[n]) * x[b, t - 1, n] + (exp(dt * a[n]) - 1) / a[n] * u[b, t]
        y[b, t] = sum(n) c[n] * x[b, t, n]
        """,
        None,
        u="2 n+1",
        a_log="3",
        c="3",
        dt=0.3,
    ),
    "s4d_complex": animal(
        """
        given u[t], re[n], im[n], c[n]
        r[t, n], i[t, n] = scan(t) re[n] * r[t - 1, n] - im[n] * i[t - 1, n] + u[t], im[n] * r[t - 1, n] + re[n] * i[t - 1, n]
        y[t] = sum(n) c[n] * r[t, n]
        """,
        None,
        u="n+1",
        re="unit: 2",
        im="unit: 2",
        c="2",
    ),
    "scan_of_scan": animal(
        "a[t] = scan(t) a[t - 1] + x[t]\nb[t] = scan(t) b[t + 1] * 0.5 + a[t]\nc[t] = scan(t) c[t - 1] * a[t] + b[t]",
        None,
        x="n+1",
    ),
    "two_axes": animal(
        "a[i, j] = scan(i) a[i - 1, j] + x[i, j]\ns[i, j] = scan(j) s[i, j - 1] + a[i, j]",
        lambda x: x.cumsum(0).cumsum(1),
        x="n 3",
    ),
}
