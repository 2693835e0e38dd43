"""Normalisations, similarities and statistics of rows."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, Array, animal, logsumexp, softmax, unit


def standard(x: Array, axes: tuple[int, ...], eps: float = 1e-5) -> Array:
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


def grouped(x: Array, groups: int, eps: float) -> Array:
    n, c, h = x.shape
    return standard(x.reshape(n, groups, c // groups, h), (2, 3), eps).reshape(x.shape)


NORMS: dict[str, Animal] = {
    "batch_norm": animal(
        """
        given x[n, c, h, w], g[c], b[c], eps
        mu[c] = mean(n, h, w) x[n, c, h, w]
        v[c]  = mean(n, h, w) (x[n, c, h, w] - mu[c]) ** 2
        y[n, c, h, w] = (x[n, c, h, w] - mu[c]) * rsqrt(v[c] + eps) * g[c] + b[c]
        out(y, mu, v)
        """,
        lambda x, g, b, eps: {
            "y": standard(x, (0, 2, 3), eps) * g[:, None, None] + b[:, None, None],
            "mu": x.mean((0, 2, 3)),
            "v": x.var((0, 2, 3)),
        },
        x="n 3 2 n+1",
        g="3",
        b="3",
        eps=1e-2,
    ),
    "instance_norm": animal(
        """
        given x[n, c, h, w], g[c], b[c]
        mu[n, c] = mean(h, w) x[n, c, h, w]
        v[n, c]  = mean(h, w) (x[n, c, h, w] - mu[n, c]) ** 2
        y[n, c, h, w] = (x[n, c, h, w] - mu[n, c]) / sqrt(v[n, c] + 1e-5) * g[c] + b[c]
        """,
        lambda x, g, b: standard(x, (2, 3)) * g[:, None, None] + b[:, None, None],
        x="2 3 n 3",
        g="3",
        b="3",
    ),
    "group_norm": animal(
        """
        given x[n, c, h], gain[c], bias[c], groups: i32, eps
        mu[n, g < groups] = sum(k < size(c) // groups, h) x[n, g * (size(c) // groups) + k, h] / (size(c) // groups * size(h))
        d[n, c, h] = x[n, c, h] - mu[n, c // (size(c) // groups)]
        v[n, g < groups] = sum(k < size(c) // groups, h) d[n, g * (size(c) // groups) + k, h] ** 2 / (size(c) // groups * size(h))
        y[n, c, h] = d[n, c, h] * rsqrt(v[n, c // (size(c) // groups)] + eps) * gain[c] + bias[c]
        """,
        lambda x, gain, bias, groups, eps: grouped(x, groups, eps) * gain[:, None] + bias[:, None],
        x="n 6 3",
        gain="6",
        bias="6",
        groups=2,
        eps=1e-2,
    ),
    "group_norm_by_mask": animal(
        """
        given x[n, c, h], gain[g, k]
        mu[n, g < size(g)] = mean(k < size(k), h) x[n, g * size(k) + k, h]
        v[n, g < size(g)] = mean(k < size(k), h) (x[n, g * size(k) + k, h] - mu[n, g]) ** 2
        y[n, c, h] = ((x[n, c, h] - mu[n, c // (size(c) // size(g))]) * rsqrt(v[n, c // (size(c) // size(g))] + 1e-2)
            * gain[c // size(k), c % size(k)])
        """,
        lambda x, gain: grouped(x, 2, 1e-2) * gain.reshape(-1)[:, None],
        x="n 6 3",
        gain="2 3",
    ),
    "weight_norm": animal(
        """
        q[o] = sum(i) v[o, i] ** 2
        w[o, i] = g[o] * v[o, i] / sqrt(q[o])
        y[t, o] = sum(i) w[o, i] * x[t, i]
        """,
        lambda v, g, x: x @ (g[:, None] * unit(v)).T,
        v="n 3",
        g="n",
        x="2 3",
    ),
    "cosine_similarity": animal(
        """
        xy[i, j] = sum(c) x[i, c] * y[j, c]
        xx[i] = sum(c) x[i, c] ** 2
        yy[j] = sum(c) y[j, c] ** 2
        s[i, j] = xy[i, j] / (sqrt(xx[i]) * sqrt(yy[j]))
        """,
        lambda x, y: unit(x) @ unit(y).T,
        x="n 3",
        y="n+1 3",
    ),
    "p_norm": animal(
        "s[i] = sum(j) abs(x[i, j]) ** p\ny[i] = s[i] ** (1 / p)",
        lambda x, p: (np.abs(x) ** p).sum(1) ** (1 / p),
        x="n 3",
        p=3.0,
    ),
    "standardise": animal(
        """
        mu[j] = mean(i) x[i, j]
        v[j] = sum(i) (x[i, j] - mu[j]) ** 2 / max(size(i) - 1, 1)
        z[i, j] = (x[i, j] - mu[j]) / sqrt(v[j] + 0.01)
        """,
        lambda x: (x - x.mean(0)) / np.sqrt(((x - x.mean(0)) ** 2).sum(0) / max(len(x) - 1, 1) + 0.01),
        x="n 3",
    ),
    "min_max": animal(
        """
        low[i] = min(j) x[i, j]
        high[i] = max(j) x[i, j]
        y[i, j] = (x[i, j] - low[i]) / (high[i] - low[i] + eps)
        """,
        lambda x, eps: (x - x.min(1, keepdims=True)) / (np.ptp(x, axis=1, keepdims=True) + eps),
        x="spread: n 4",
        eps=0.1,
    ),
    "l1_normalise": animal(
        "s[i] = sum(j) abs(x[i, j])\ny[i, j] = x[i, j] / max(s[i], 1e-12)",
        lambda x: x / np.abs(x).sum(1, keepdims=True),
        x="n 3",
    ),
    "local_response": animal(
        """
        given x[n, c], alpha, beta, k
        s[n, c] = sum(d < 5) x[n, c + d - 2] ** 2
        y[n, c] = x[n, c] / (k + alpha * s[n, c]) ** beta
        """,
        None,
        x="2 n+3",
        alpha=0.3,
        beta=0.75,
        k=2.0,
    ),
    "rms_over_two": animal(
        "q[b] = mean(h, w) x[b, h, w] ** 2\ny[b, h, w] = x[b, h, w] * rsqrt(q[b] + 1e-6)",
        lambda x: x / np.sqrt((x**2).mean((1, 2), keepdims=True) + 1e-6),
        x="2 n 3",
    ),
    "softmax_over_two": animal(
        """
        m[b] = max(h, w) x[b, h, w]
        e[b, h, w] = exp(x[b, h, w] - m[b])
        s[b] = sum(h, w) e[b, h, w]
        y[b, h, w] = e[b, h, w] / s[b]
        """,
        lambda x: softmax(x.reshape(len(x), -1)).reshape(x.shape),
        x="2 n 3",
    ),
    "logsumexp_over_two": animal(
        "m[b] = max(h, w) x[b, h, w]\ns[b] = sum(h, w) exp(x[b, h, w] - m[b])\ny[b] = m[b] + log(s[b])",
        lambda x: logsumexp(x.reshape(len(x), -1)),
        x="2 n 3",
    ),
    "softmax_columns": animal(
        "m[j] = max(i) x[i, j]\ne[i, j] = exp(x[i, j] - m[j])\ns[j] = sum(i) e[i, j]\ny[i, j] = e[i, j] / s[j]",
        lambda x: softmax(x, 0),
        x="n 3",
    ),
    "spectral_step": animal(
        """
        v[j] = sum(i) w[i, j] * u[i]
        nv = sum(j) v[j] ** 2
        wv[i] = sum(j) w[i, j] * v[j] * rsqrt(nv)
        nw = sum(i) wv[i] ** 2
        y[i, j] = w[i, j] * rsqrt(nw)
        """,
        lambda w, u: w / np.linalg.norm(w @ unit(w.T @ u)),
        w="n 3",
        u="n",
    ),
    "adaptive_layer_norm": animal(
        """
        given x[b, t, c], shift[b, c], scale[b, c]
        mu[b, t] = mean(c) x[b, t, c]
        v[b, t]  = mean(c) (x[b, t, c] - mu[b, t]) ** 2
        y[b, t, c] = (x[b, t, c] - mu[b, t]) * rsqrt(v[b, t] + 1e-2) * (1 + scale[b, c]) + shift[b, c]
        """,
        lambda x, shift, scale: standard(x, (2,), 1e-2) * (1 + scale[:, None]) + shift[:, None],
        x="2 n 3",
        shift="2 3",
        scale="2 3",
    ),
    "batch_norm_folded": animal(
        "y[n, c, h] = (x[n, c, h] - mu[c]) / sqrt(v[c] + 1e-3) * g[c] + b[c]",
        lambda x, mu, v, g, b: (x - mu[:, None]) / np.sqrt(v[:, None] + 1e-3) * g[:, None] + b[:, None],
        x="2 3 n",
        mu="3",
        v="positive: 3",
        g="3",
        b="3",
    ),
    "mean_only_leading": animal(
        "m[...] = mean(i) x[..., i]\ny[..., i] = x[..., i] - m[...]",
        lambda x: x - x.mean(-1, keepdims=True),
        x="2 n 1 3",
    ),
    "moments": animal(
        """
        mu = mean(i) x[i]
        m2 = mean(i) (x[i] - mu) ** 2
        m3 = mean(i) (x[i] - mu) ** 3
        m4 = mean(i) (x[i] - mu) ** 4
        skew = m3 / (m2 + 0.1) ** 1.5
        kurtosis = m4 / (m2 + 0.1) ** 2
        out(skew, kurtosis)
        """,
        None,
        x="n+2",
    ),
    "covariance": animal(
        "mu[j] = mean(i) x[i, j]\nc[j, k] = sum(i) (x[i, j] - mu[j]) * (x[i, k] - mu[k]) / size(i)",
        lambda x: np.cov(x.T, bias=True),
        x="n 3",
    ),
    "variance_by_pairs": animal("v = mean(i, j) (x[i] - x[j]) ** 2 / 2", lambda x: x.var(), x="n"),
    "log_softmax_temperature": animal(
        """
        given x[..., v], tau
        m[...] = max(v) x[..., v] / tau
        s[...] = sum(v) exp(x[..., v] / tau - m[...])
        y[..., v] = x[..., v] / tau - m[...] - log(s[...])
        """,
        lambda x, tau: x / tau - logsumexp(x / tau)[..., None],
        x="2 n 4",
        tau=0.6,
    ),
    "geometric_mean": animal(
        "p[i] = prod(j) x[i, j]\ny[i] = p[i] ** (1 / size(j))",
        lambda x: x.prod(1) ** (1 / x.shape[1]),
        x="positive: n 3",
    ),
    "harmonic_mean": animal(
        "s[i] = sum(j) 1 / x[i, j]\ny[i] = size(j) / s[i]",
        lambda x: x.shape[1] / (1 / x).sum(1),
        x="positive: n 3",
    ),
    "product_of_all": animal("y = prod(i, j) x[i, j]", lambda x: x.prod(), x="n 2"),
}
