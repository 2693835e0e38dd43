"""Sequence models: rules of fast weights, state spaces, windows, and what quantises on the way."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, animal, sigmoid, softmax

SEQUENCES: dict[str, Animal] = {
    "hyena_gate": animal(
        """
        given u[b, t], v[b, t], h[k], d
        c[b, t] = sum(k) h[k] * v[b, t - k]
        y[b, t] = u[b, t] * (c[b, t] + d * v[b, t])
        """,
        lambda u, v, h, d: u * (causal(v, h) + d * v),
        u="2 n+1",
        v="2 n+1",
        h="3",
        d=0.4,
    ),
    "gated_linear_recurrence": animal(
        """
        given x[t, c], r[t, c], i[t, c], lam[c]
        log_a[t, c] = -8 * softplus(lam[c]) * sigmoid(r[t, c])
        a[t, c] = exp(log_a[t, c])
        h[t, c] = scan(t) a[t, c] * h[t - 1, c] + sqrt(1 - exp(2 * log_a[t, c])) * sigmoid(i[t, c]) * x[t, c]
        """,
        lambda x, r, i, lam: griffin(x, r, i, lam),
        x="n+1 3",
        r="n+1 3",
        i="n+1 3",
        lam="3",
    ),
    "hgrn": animal(
        """
        given f[t, c], i[t, c], o[t, c], low[c]
        g[t, c] = sigmoid(low[c]) + (1 - sigmoid(low[c])) * sigmoid(f[t, c])
        h[t, c] = scan(t) g[t, c] * h[t - 1, c] + (1 - g[t, c]) * silu(i[t, c])
        y[t, c] = h[t, c] * sigmoid(o[t, c])
        """,
        None,
        f="n+1 3",
        i="n+1 3",
        o="n+1 3",
        low="3",
    ),
    "mlstm_scalar": animal(
        """
        given q[t], k[t], v[t], i[t], f[t]
        m[t] = scan(t) max(f[t] + m[t - 1], i[t])
        a[t] = exp(f[t] + m[t - 1] - m[t])
        b[t] = exp(i[t] - m[t])
        c[t] = scan(t) a[t] * c[t - 1] + b[t] * k[t] * v[t]
        n[t] = scan(t) a[t] * n[t - 1] + b[t] * k[t]
        y[t] = q[t] * c[t] / max(abs(n[t] * q[t]), 1.0)
        """,
        None,
        q="n+1",
        k="n+1",
        v="n+1",
        i="n+1",
        f="n+1",
    ),
    "exponential_smoothing_loss": animal(
        """
        given x[t], a
        s[t] = scan(t, start=x[0]) sigmoid(a) * x[t] + (1 - sigmoid(a)) * s[t - 1]
        loss = mean(t) (x[t] - s[t - 1; 0]) ** 2
        """,
        None,
        x="n+1",
        a=0.2,
    ),
    "cumulative_softmax_attention": animal(
        """
        given z[t], v[t, c]
        m = max(t) z[t]
        e[t] = exp(z[t] - m)
        n[t, c] = scan(t) n[t - 1, c] + e[t] * v[t, c]
        d[t] = scan(t) d[t - 1] + e[t]
        y[t, c] = n[t, c] / d[t]
        """,
        lambda z, v: (np.exp(z)[:, None] * v).cumsum(0) / np.exp(z).cumsum()[:, None],
        z="n+1",
        v="n+1 3",
    ),
    "dilated_window_attention": animal(
        """
        given q[t, c], k[t, c], v[t, d]
        s[t, r < 3] = sum(c) q[t, c] * k[t - 2 * r, c]
        z[t, r] = where(2 * r <= t, s[t, r], -1e30)
        m[t] = max(r) z[t, r]
        e[t, r] = where(2 * r <= t, exp(z[t, r] - m[t]), 0)
        l[t] = sum(r) e[t, r]
        y[t, d] = sum(r) e[t, r] / l[t] * v[t - 2 * r, d]
        """,
        lambda q, k, v: dilated(q, k, v),
        q="n+3 2",
        k="n+3 2",
        v="n+3 2",
    ),
    "performer": animal(
        """
        given q[t, c], k[u, c], v[u, d], w[m, c]
        zq[t, m] = sum(c) q[t, c] * w[m, c]
        zk[u, m] = sum(c) k[u, c] * w[m, c]
        nq[t] = sum(c) q[t, c] ** 2 / 2
        nk[u] = sum(c) k[u, c] ** 2 / 2
        fq[t, m] = exp(zq[t, m] - nq[t])
        fk[u, m] = exp(zk[u, m] - nk[u])
        s[m, d] = sum(u) fk[u, m] * v[u, d]
        z[m] = sum(u) fk[u, m]
        n[t, d] = sum(m) fq[t, m] * s[m, d]
        l[t] = sum(m) fq[t, m] * z[m]
        y[t, d] = n[t, d] / l[t]
        """,
        lambda q, k, v, w: performer(q, k, v, w),
        q="n 2",
        k="n+1 2",
        v="n+1 3",
        w="4 2",
    ),
    "value_residual": animal(
        """
        given a[h, t, u], v[h, u, d], v0[h, u, d], mix[h]
        x[h, u, d] = sigmoid(mix[h]) * v[h, u, d] + (1 - sigmoid(mix[h])) * v0[h, u, d]
        o[h, t, d] = sum(u) where(u <= t, a[h, t, u], 0) * x[h, u, d]
        """,
        None,
        a="2 n n",
        v="2 n 3",
        v0="2 n 3",
        mix="2",
    ),
    "latent_attention": animal(
        """
        given x[t, c], wdk[r, c], wuk[h, d, r], q[h, t, d]
        l[t, r] = sum(c) x[t, c] * wdk[r, c]
        k[h, t, d] = sum(r) wuk[h, d, r] * l[t, r]
        s[h, t, u < size(t)] = sum(d) q[h, t, d] * k[h, u, d] * rsqrt(size(d))
        z[h, t, u] = where(u <= t, s[h, t, u], -1e30)
        m[h, t] = max(u) z[h, t, u]
        e[h, t, u] = where(u <= t, exp(z[h, t, u] - m[h, t]), 0)
        n[h, t] = sum(u) e[h, t, u]
        y[h, t, r] = sum(u) e[h, t, u] / n[h, t] * l[u, r]
        """,
        None,
        x="n 3",
        wdk="2 3",
        wuk="2 2 2",
        q="2 n 2",
    ),
    "qk_norm_attention": animal(
        """
        given q[h, t, c], k[h, u, c], g[c]
        qq[h, t] = mean(c) q[h, t, c] ** 2
        kk[h, u] = mean(c) k[h, u, c] ** 2
        s[h, t, u] = sum(c) g[c] * q[h, t, c] * rsqrt(qq[h, t] + 1e-3) * k[h, u, c] * rsqrt(kk[h, u] + 1e-3)
        m[h, t] = max(u) s[h, t, u]
        e[h, t, u] = exp(s[h, t, u] - m[h, t])
        l[h, t] = sum(u) e[h, t, u]
        p[h, t, u] = e[h, t, u] / l[h, t]
        """,
        lambda q, k, g: softmax(
            (g * q / np.sqrt((q * q).mean(-1, keepdims=True) + 1e-3))
            @ (k / np.sqrt((k * k).mean(-1, keepdims=True) + 1e-3)).swapaxes(1, 2)
        ),
        q="2 n 3",
        k="2 n+1 3",
        g="3",
    ),
    "hopfield_step": animal(
        """
        given x[b, c], mem[n, c], beta
        s[b, n] = sum(c) beta * x[b, c] * mem[n, c]
        m[b] = max(n) s[b, n]
        e[b, n] = exp(s[b, n] - m[b])
        l[b] = sum(n) e[b, n]
        r[b, c] = sum(n) e[b, n] * mem[n, c]
        y[b, c] = r[b, c] / l[b]
        """,
        lambda x, mem, beta: softmax(beta * x @ mem.T) @ mem,
        x="n 3",
        mem="4 3",
        beta=0.8,
    ),
    "slot_attention": animal(
        """
        given q[s, c], k[n, c], v[n, d]
        z[s, n] = sum(c) q[s, c] * k[n, c]
        m[n] = max(s) z[s, n]
        e[s, n] = exp(z[s, n] - m[n])
        l[n] = sum(s) e[s, n]
        a[s, n] = e[s, n] / l[n] + 1e-3
        w[s] = sum(n) a[s, n]
        y[s, d] = sum(n) a[s, n] / w[s] * v[n, d]
        """,
        lambda q, k, v: (lambda a: a / a.sum(1, keepdims=True))(softmax(q @ k.T, 0) + 1e-3) @ v,
        q="2 3",
        k="n 3",
        v="n 2",
    ),
    "fake_quantise": animal(
        "y[i] = straight_through(clamp(round(x[i] / s), -8, 7), as=clamp(x[i] / s, -8, 7)) * s",
        lambda x, s: np.clip(np.round(x / s), -8, 7) * s,
        x="n",
        s=0.1,
    ),
    "quantised_linear": animal(
        """
        given x[t, i], w[o, i]
        top[o] = max(i) abs(w[o, i])
        s[o] = stop_gradient(top[o] / 7 + 1e-6)
        q[o, i] = straight_through(round(w[o, i] / s[o]), as=w[o, i] / s[o]) * s[o]
        y[t, o] = sum(i) x[t, i] * q[o, i]
        """,
        lambda x, w: x @ quantised(w).T,
        x="n 3",
        w="2 3",
    ),
    "ternary_weights": animal(
        """
        given x[t, i], w[o, i]
        g = mean(o, i) abs(w[o, i])
        q[o, i] = straight_through(clamp(round(w[o, i] / (g + 1e-5)), -1, 1), as=w[o, i])
        y[t, o] = sum(i) x[t, i] * q[o, i]
        """,
        lambda x, w: x @ np.clip(np.round(w / (np.abs(w).mean() + 1e-5)), -1, 1).T,
        x="n 3",
        w="2 3",
    ),
}


def causal(v: np.ndarray, h: np.ndarray) -> np.ndarray:
    return np.stack([h[k] * np.pad(v, ((0, 0), (k, 0)))[:, : v.shape[1]] for k in range(len(h))]).sum(0)


def griffin(x: np.ndarray, r: np.ndarray, i: np.ndarray, lam: np.ndarray) -> np.ndarray:
    log_a = -8 * np.logaddexp(lam, 0) * sigmoid(r)
    h, found = np.zeros(x.shape[1:]), []
    for t in range(len(x)):
        h = np.exp(log_a[t]) * h + np.sqrt(1 - np.exp(2 * log_a[t])) * sigmoid(i[t]) * x[t]
        found.append(h)
    return np.stack(found)


def dilated(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    rows = [[t - 2 * r for r in range(3) if 2 * r <= t] for t in range(len(q))]
    return np.stack([softmax(k[seen] @ q[t]) @ v[seen] for t, seen in enumerate(rows)])


def performer(q: np.ndarray, k: np.ndarray, v: np.ndarray, w: np.ndarray) -> np.ndarray:
    a = np.exp(q @ w.T - (q * q).sum(1, keepdims=True) / 2) @ np.exp(k @ w.T - (k * k).sum(1, keepdims=True) / 2).T
    return a @ v / a.sum(1, keepdims=True)


def quantised(w: np.ndarray) -> np.ndarray:
    s = np.abs(w).max(1, keepdims=True) / 7 + 1e-6
    return np.round(w / s) * s
