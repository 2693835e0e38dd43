"""Kernels, distances, statistics and images, beside those of the other families."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, animal, sigmoid, softmax

GEOMETRY: dict[str, Animal] = {
    "hyperbolic_distance": animal(
        """
        given a[n, c], b[n, c]
        aa[n] = sum(c) a[n, c] ** 2
        bb[n] = sum(c) b[n, c] ** 2
        dd[n] = sum(c) (a[n, c] - b[n, c]) ** 2
        y[n] = acosh(1 + 2 * dd[n] / ((1 - aa[n]) * (1 - bb[n])))
        """,
        lambda a, b: np.arccosh(1 + 2 * ((a - b) ** 2).sum(1) / ((1 - (a * a).sum(1)) * (1 - (b * b).sum(1)))),
        a="unit: n 1",
        b="unit: n 1",
    ),
    "matern": animal(
        """
        given x[i, c], y[j, c], length
        q[i, j] = sum(c) (x[i, c] - y[j, c]) ** 2
        r[i, j] = sqrt(5 * q[i, j] + 1e-6) / length
        k[i, j] = (1 + r[i, j] + r[i, j] ** 2 / 3) * exp(-r[i, j])
        """,
        lambda x, y, length: matern(x, y, length),
        x="n 2",
        y="n+1 2",
        length=0.8,
    ),
    "rational_quadratic": animal(
        """
        q[i, j] = sum(c) (x[i, c] - y[j, c]) ** 2
        k[i, j] = pow(1 + q[i, j] / (2 * a * length ** 2), -a)
        """,
        lambda x, y, a, length: (1 + ((x[:, None] - y) ** 2).sum(-1) / (2 * a * length * length)) ** -a,
        x="n 2",
        y="n+1 2",
        a=1.5,
        length=0.9,
    ),
    "chebyshev_distance": animal(
        "d[i, j] = max(c) abs(x[i, c] - y[j, c])", lambda x, y: np.abs(x[:, None] - y).max(-1), x="n 3", y="n+1 3"
    ),
    "minkowski": animal(
        "s[i, j] = sum(c) pow(abs(x[i, c] - y[j, c]) + 1e-3, p)\nd[i, j] = pow(s[i, j], 1 / p)",
        lambda x, y, p: ((np.abs(x[:, None] - y) + 1e-3) ** p).sum(-1) ** (1 / p),
        x="n 3",
        y="n+1 3",
        p=3.0,
    ),
    "chamfer": animal(
        """
        d[i, j] = sum(c) (x[i, c] - y[j, c]) ** 2
        a[i] = min(j) d[i, j]
        b[j] = min(i) d[i, j]
        ma = mean(i) a[i]
        mb = mean(j) b[j]
        loss = ma + mb
        """,
        lambda x, y: (lambda d: d.min(1).mean() + d.min(0).mean())(((x[:, None] - y) ** 2).sum(-1)),
        x="n 2",
        y="n+1 2",
    ),
    "mmd": animal(
        """
        given x[i, c], z[j, c], s
        xx[i, k < size(i)] = sum(c) (x[i, c] - x[k, c]) ** 2
        xz[i, j] = sum(c) (x[i, c] - z[j, c]) ** 2
        a = mean(i, k < size(i)) exp(-xx[i, k] / s)
        b = mean(i, j) exp(-xz[i, j] / s)
        loss = a - 2 * b
        """,
        lambda x, z, s: (
            np.exp(-((x[:, None] - x) ** 2).sum(-1) / s).mean()
            - 2 * np.exp(-((x[:, None] - z) ** 2).sum(-1) / s).mean()
        ),
        x="n 2",
        z="n+1 2",
        s=1.2,
    ),
    "t_sne_affinity": animal(
        """
        given y[i, c]
        d[i, j < size(i)] = sum(c) (y[i, c] - y[j, c]) ** 2
        w[i, j] = where(i == j, 0, 1 / (1 + d[i, j]))
        s = sum(i, j) w[i, j]
        q[i, j] = w[i, j] / s
        """,
        lambda y: (lambda w: w / w.sum())(np.where(np.eye(len(y)), 0, 1 / (1 + ((y[:, None] - y) ** 2).sum(-1)))),
        y="n+2 2",
    ),
    "pearson": animal(
        """
        ma[i] = mean(j) a[i, j]
        mb[i] = mean(j) b[i, j]
        va[i] = sum(j) (a[i, j] - ma[i]) ** 2
        vb[i] = sum(j) (b[i, j] - mb[i]) ** 2
        c[i] = sum(j) (a[i, j] - ma[i]) * (b[i, j] - mb[i])
        r[i] = c[i] * rsqrt(va[i]) * rsqrt(vb[i])
        """,
        lambda a, b: np.array([np.corrcoef(x, y)[0, 1] for x, y in zip(a, b)]),
        a="n 4",
        b="n 4",
    ),
    "whitening_zca_2": animal(
        """
        given x[n, k]
        m[k] = mean(n) x[n, k]
        c[k, l < size(k)] = mean(n) (x[n, k] - m[k]) * (x[n, l] - m[l])
        d = c[0, 0] * c[1, 1] - c[0, 1] * c[1, 0]
        s = sqrt(d + 0.1)
        t = sqrt(c[0, 0] + c[1, 1] + 2 * s)
        r[k, l < 2] = (c[k, l] + where(k == l, s, 0)) / t
        """,
        None,
        x="n+2 2",
    ),
    "spectral_norm_converged": animal(
        """
        given w[o, i], u[o]
        z[i] = sum(o) w[o, i] * u[o]
        zz = sum(i) z[i] ** 2
        v[i] = stop_gradient(z[i] * rsqrt(zz))
        a[o] = sum(i) w[o, i] * v[i]
        aa = sum(o) a[o] ** 2
        y[o, i] = w[o, i] * rsqrt(aa)
        """,
        None,
        w="2 n",
        u="2",
    ),
    "group_norm_two_axes": animal(
        """
        given x[b, g, k, p], eps
        mu[b, g] = mean(k, p) x[b, g, k, p]
        v[b, g] = mean(k, p) (x[b, g, k, p] - mu[b, g]) ** 2
        y[b, g, k, p] = (x[b, g, k, p] - mu[b, g]) / sqrt(v[b, g] + eps)
        """,
        lambda x, eps: (x - x.mean((2, 3), keepdims=True)) / np.sqrt(x.var((2, 3), keepdims=True) + eps),
        x="n 2 2 3",
        eps=1e-2,
    ),
    "global_response": animal(
        """
        given x[b, p, c], g[c], o[c]
        q[b, c] = sum(p) x[b, p, c] ** 2
        l[b, c] = sqrt(q[b, c])
        m[b] = mean(c) l[b, c]
        y[b, p, c] = g[c] * x[b, p, c] * l[b, c] / (m[b] + 1e-6) + o[c] + x[b, p, c]
        """,
        lambda x, g, o: (lambda lengths: g * x * lengths / (lengths.mean(-1, keepdims=True) + 1e-6) + o + x)(
            np.sqrt((x * x).sum(1, keepdims=True))
        ),
        x="n 2 3",
        g="3",
        o="3",
    ),
    "conv2d_padded_dilated": animal(
        """
        given x[b, c, h, l], w[o, c, u, v], bias[o]
        p[b, o, h < size(h), l < size(l)] = sum(c, u, v) x[b, c, h + 2 * u - 2, l + 2 * v - 2] * w[o, c, u, v]
        y[b, o, h, l] = relu(p[b, o, h, l] + bias[o])
        """,
        None,
        x="1 2 n+1 3",
        w="2 2 3 3",
        bias="2",
    ),
    "sampled_at_learned_places": animal(
        """
        given x[c, s], p[t]
        at[t] = stop_gradient(i32(floor(p[t] * 0.5 + 1)))
        f[t] = p[t] * 0.5 + 1 - stop_gradient(f32(at[t]))
        y[c, t] = (1 - f[t]) * x[c, at[t]; 0] + f[t] * x[c, at[t] + 1; 0]
        """,
        None,
        x="2 n+3",
        p="n",
    ),
    "spatial_soft_argmax": animal(
        """
        m[b] = max(h, w) x[b, h, w]
        e[b, h, w] = exp(x[b, h, w] - m[b])
        s[b] = sum(h, w) e[b, h, w]
        r[b] = sum(h, w) e[b, h, w] * h
        q[b] = sum(h, w) e[b, h, w] * w
        y[b] = r[b] / s[b]
        z[b] = q[b] / s[b]
        out(y, z)
        """,
        lambda x: (
            lambda p: {
                "y": (p * np.arange(x.shape[1])[:, None]).sum((1, 2)),
                "z": (p * np.arange(x.shape[2])).sum((1, 2)),
            }
        )(softmax(x.reshape(len(x), -1)).reshape(x.shape)),
        x="n 3 2",
    ),
    "log_mean_exp_pool": animal(
        """
        given x[b, c, p], r
        m[b, c] = max(p) r * x[b, c, p]
        s[b, c] = mean(p) exp(r * x[b, c, p] - m[b, c])
        y[b, c] = (m[b, c] + log(s[b, c])) / r
        """,
        lambda x, r: np.log(np.exp(r * x).mean(-1)) / r,
        x="n 2 3",
        r=1.7,
    ),
    "gem_pool": animal(
        "s[b, c] = mean(h, w) pow(max(x[b, c, h, w], 1e-3), p)\ny[b, c] = pow(s[b, c], 1 / p)",
        lambda x, p: (np.maximum(x, 1e-3) ** p).mean((2, 3)) ** (1 / p),
        x="positive: n 2 2 2",
        p=3.0,
    ),
    "film_over_channels": animal(
        "y[n, c, p] = x[n, c, p] * (1 + g[n, c]) + sigmoid(b[n, c])",
        lambda x, g, b: x * (1 + g)[..., None] + sigmoid(b)[..., None],
        x="n 2 3",
        g="n 2",
        b="n 2",
    ),
}


def matern(x: np.ndarray, y: np.ndarray, length: float) -> np.ndarray:
    r = np.sqrt(5 * ((x[:, None] - y) ** 2).sum(-1) + 1e-6) / length
    return (1 + r + r * r / 3) * np.exp(-r)
