"""Activations and gates of the literature."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, animal, sigmoid, softmax, softplus

ACTIVATIONS: dict[str, Animal] = {
    "mish": animal("y[...] = x[...] * tanh(softplus(x[...]))", lambda x: x * np.tanh(softplus(x)), x="n 5"),
    "elu": animal(
        "y[...] = where(x[...] > 0, x[...], alpha * (exp(min(x[...], 0)) - 1))",
        lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0))),
        x="n 5",
        alpha=0.7,
    ),
    "selu": animal(
        """
        y[...] = 1.0507009873554805 * where(x[...] > 0, x[...],
                     1.6732632423543772 * (exp(min(x[...], 0)) - 1))
        """,
        lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.minimum(x, 0))),
        x="n 5",
    ),
    "celu": animal(
        "y[...] = max(0, x[...]) + min(0, alpha * (exp(x[...] / alpha) - 1))",
        lambda x, alpha: np.maximum(x, 0) + np.minimum(0, alpha * np.expm1(x / alpha)),
        x="n 5",
        alpha=1.3,
    ),
    "softsign": animal("y[...] = x[...] / (1 + abs(x[...]))", lambda x: x / (1 + np.abs(x)), x="n 5"),
    "hardswish": animal(
        "y[...] = x[...] * clamp(x[...] + 3, 0, 6) / 6", lambda x: x * np.clip(x + 3, 0, 6) / 6, x="n 5"
    ),
    "hardtanh": animal("y[...] = clamp(x[...], -1, 1)", lambda x: np.clip(x, -1, 1), x="n 5"),
    "hardsigmoid": animal("y[...] = saturate(x[...] / 6 + 0.5)", lambda x: np.clip(x / 6 + 0.5, 0, 1), x="n 5"),
    "relu6": animal("y[i] = min(max(x[i], 0), 6)", lambda x: np.clip(x, 0, 6), x="n"),
    "leaky_relu": animal("y[...] = max(x[...], 0.01 * x[...])", lambda x: np.maximum(x, 0.01 * x), x="n 5"),
    "prelu": animal(
        "y[n, c, h] = where(x[n, c, h] > 0, x[n, c, h], a[c] * x[n, c, h])",
        lambda x, a: np.where(x > 0, x, a[:, None] * x),
        x="n 3 n+1",
        a="3",
    ),
    "glu": animal(
        """
        given x[..., c]
        y[..., i < size(c) // 2] = x[..., i] * sigmoid(x[..., i + size(c) // 2])
        """,
        lambda x: x[..., : x.shape[-1] // 2] * sigmoid(x[..., x.shape[-1] // 2 :]),
        x="n 2n",
    ),
    "signed_root": animal("y[i] = sign(x[i]) * sqrt(abs(x[i]))", lambda x: np.sign(x) * np.sqrt(np.abs(x)), x="n"),
    "geglu": animal(
        "h[t, f] = gelu(g[t, f]) * u[t, f]",
        lambda g, u: g * sigmoid(2 * np.sqrt(2 / np.pi) * (g + 0.044715 * g**3)) * u,
        g="n 3",
        u="n 3",
    ),
    "reglu": animal("h[t, f] = relu(g[t, f]) * u[t, f]", lambda g, u: np.maximum(g, 0) * u, g="n 3", u="n 3"),
    "bilinear_glu": animal(
        """
        g[t, f] = sum(c) x[t, c] * wg[f, c]
        u[t, f] = sum(c) x[t, c] * wu[f, c]
        h[t, f] = silu(g[t, f]) * u[t, f]
        y[t, c] = sum(f) h[t, f] * wd[c, f]
        """,
        lambda x, wg, wu, wd: ((x @ wg.T) * sigmoid(x @ wg.T) * (x @ wu.T)) @ wd.T,
        x="n 3",
        wg="n+1 3",
        wu="n+1 3",
        wd="3 n+1",
    ),
    "snake": animal(
        "y[b, c, t] = x[b, c, t] + sin(a[c] * x[b, c, t]) ** 2 / a[c]",
        lambda x, a: x + np.sin(a[:, None] * x) ** 2 / a[:, None],
        x="2 3 n",
        a="positive: 3",
    ),
    "logsigmoid": animal("y[...] = -softplus(-x[...])", lambda x: -softplus(-x), x="n 5"),
    "tanhshrink": animal("y[...] = x[...] - tanh(x[...])", lambda x: x - np.tanh(x), x="n 5"),
    "softshrink": animal(
        "y[i] = where(x[i] > lam, x[i] - lam, where(x[i] < -lam, x[i] + lam, 0))",
        lambda x, lam: np.sign(x) * np.maximum(np.abs(x) - lam, 0),
        x="n",
        lam=0.4,
    ),
    "hardshrink": animal(
        "y[i] = where(abs(x[i]) > lam, x[i], 0)", lambda x, lam: np.where(np.abs(x) > lam, x, 0), x="n", lam=0.4
    ),
    "threshold": animal("y[i] = where(x[i] > 0.1, x[i], 20)", lambda x: np.where(x > 0.1, x, 20), x="n"),
    "squareplus": animal(
        "y[...] = (x[...] + sqrt(x[...] ** 2 + b)) / 2", lambda x, b: (x + np.sqrt(x * x + b)) / 2, x="n 5", b=4.0
    ),
    "quick_gelu": animal("y[...] = x[...] * sigmoid(1.702 * x[...])", lambda x: x * sigmoid(1.702 * x), x="n 5"),
    "gelu_by_erf_series": animal(
        """
        # Abramowitz and Stegun 7.1.26
        z[i] = abs(x[i]) / sqrt(2)
        t[i] = 1 / (1 + 0.3275911 * z[i])
        p[i] = t[i] * (0.254829592 + t[i] * (-0.284496736 + t[i] * (1.421413741
               + t[i] * (-1.453152027 + t[i] * 1.061405429))))
        y[i] = 0.5 * x[i] * (1 + stop_gradient(sign(x[i])) * (1 - p[i] * exp(-z[i] * z[i])))
        """,
        None,
        x="n+2",
    ),
    "swish_beta": animal(
        "y[i, c] = x[i, c] * sigmoid(beta[c] * x[i, c])", lambda x, beta: x * sigmoid(beta * x), x="n 3", beta="3"
    ),
    "gaussian": animal("y[i] = exp(-x[i] ** 2)", lambda x: np.exp(-(x**2)), x="n"),
    "maxout": animal(
        """
        z[t, o] = sum(c) w[o, c] * x[t, c]
        y[t, g < size(o) // 2] = max(k < 2) z[t, 2 * g + k]
        """,
        lambda w, x: (x @ w.T).reshape(len(x), -1, 2).max(-1),
        x="n 3",
        w="2n 3",
    ),
    "bent_identity": animal(
        "y[i] = (sqrt(x[i] * x[i] + 1) - 1) / 2 + x[i]", lambda x: (np.sqrt(x * x + 1) - 1) / 2 + x, x="n"
    ),
    "isru": animal("y[i] = x[i] * rsqrt(1 + a * x[i] ** 2)", lambda x, a: x / np.sqrt(1 + a * x * x), x="n", a=0.5),
    "sinc": animal("y[i] = where(x[i] == 0, 1, sin(x[i]) / x[i])", lambda x: np.sinc(x / np.pi), x="n"),
    "logit": animal("y[i] = log(p[i] / (1 - p[i]))", lambda p: np.log(p / (1 - p)), p="unit: n"),
    "softmin": animal(
        """
        m[i]    = min(j) x[i, j]
        e[i, j] = exp(m[i] - x[i, j])
        s[i]    = sum(j) e[i, j]
        y[i, j] = e[i, j] / s[i]
        """,
        lambda x: softmax(-x),
        x="n 4",
    ),
    "squash_capsule": animal(
        """
        q[b, o] = sum(i) x[b, o, i] ** 2
        y[b, o, i] = q[b, o] / (1 + q[b, o]) * x[b, o, i] * rsqrt(q[b, o])
        """,
        lambda x: np.linalg.norm(x, axis=-1, keepdims=True) / (1 + (x**2).sum(-1, keepdims=True)) * x,
        x="2 n 3",
    ),
    "gumbel_softmax": animal(
        """
        given x[t, v], u[t, v], tau
        z[t, v] = (x[t, v] - log(-log(u[t, v]))) / tau
        m[t]    = max(v) z[t, v]
        e[t, v] = exp(z[t, v] - m[t])
        s[t]    = sum(v) e[t, v]
        y[t, v] = e[t, v] / s[t]
        """,
        lambda x, u, tau: softmax((x - np.log(-np.log(u))) / tau),
        x="n 4",
        u="unit: n 4",
        tau=0.8,
    ),
    "star_relu": animal(
        "given x[..., c], s, b\ny[..., c] = s * relu(x[..., c]) ** 2 + b",
        lambda x, s, b: s * np.maximum(x, 0) ** 2 + b,
        x="n 3",
        s=0.8,
        b=-0.4,
    ),
    "lisht": animal("y[i] = x[i] * tanh(x[i])", lambda x: x * np.tanh(x), x="n"),
    "phish": animal("y[i] = x[i] * tanh(gelu(x[i]))", None, x="n"),
    "smelu": animal(
        "y[i] = where(x[i] >= b, x[i], where(x[i] <= -b, 0, (x[i] + b) ** 2 / (4 * b)))",
        lambda x, b: np.where(x >= b, x, np.where(x <= -b, 0, (x + b) ** 2 / (4 * b))),
        x="n",
        b=0.9,
    ),
    "siren": animal(
        "p[t, o] = sum(c) w[o, c] * x[t, c]\ny[t, o] = sin(omega * (p[t, o] + b[o]))",
        lambda w, x, omega, b: np.sin(omega * (x @ w.T + b)),
        x="n 2",
        w="3 2",
        b="3",
        omega=3.0,
    ),
    "rational": animal(
        "y[i] = (p0 + x[i] * (p1 + x[i] * p2)) / (1 + abs(x[i] * (q1 + x[i] * q2)))",
        lambda x, p0, p1, p2, q1, q2: (p0 + p1 * x + p2 * x * x) / (1 + np.abs(q1 * x + q2 * x * x)),
        x="n",
        p0=0.1,
        p1=0.9,
        p2=0.4,
        q1=0.5,
        q2=0.7,
    ),
    "dynamic_tanh": animal(
        "given x[..., c], alpha, g[c], b[c]\ny[..., c] = g[c] * tanh(alpha * x[..., c]) + b[c]",
        lambda x, alpha, g, b: g * np.tanh(alpha * x) + b,
        x="2 n 3",
        alpha=0.6,
        g="3",
        b="3",
    ),
}
