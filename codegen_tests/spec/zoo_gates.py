"""Activations, gates and sparse maps that are less often met than those of `zoo_activations`."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, animal, sigmoid, softmax, softplus

GATES: dict[str, Animal] = {
    "serf_by_tanh": animal("y[i] = x[i] * tanh(log(1 + exp(x[i])))", lambda x: x * np.tanh(softplus(x)), x="n"),
    "hard_mish": animal(
        "y[i] = x[i] / 2 * min(2, max(0, x[i] + 2))", lambda x: x / 2 * np.clip(x + 2, 0, 2), x="spread: n"
    ),
    "tanh_exp": animal("y[i] = x[i] * tanh(exp(x[i]))", lambda x: x * np.tanh(np.exp(x)), x="n"),
    "logish": animal("y[i] = x[i] * log(1 + sigmoid(x[i]))", lambda x: x * np.log1p(sigmoid(x)), x="n"),
    "soft_exponential": animal(
        "y[i] = where(a > 0, (exp(a * x[i]) - 1) / a + a, x[i])", lambda x, a: (np.exp(a * x) - 1) / a + a, x="n", a=0.7
    ),
    "parametric_softplus": animal("y[i] = log(1 + exp(k * x[i])) / k", lambda x, k: softplus(k * x) / k, x="n", k=2.5),
    "isrlu": animal(
        "y[i] = where(x[i] >= 0, x[i], x[i] * rsqrt(1 + a * x[i] ** 2))",
        lambda x, a: np.where(x >= 0, x, x / np.sqrt(1 + a * x * x)),
        x="spread: n",
        a=1.5,
    ),
    "crelu": animal(
        "y[i, k < 2] = where(k == 0, relu(x[i]), relu(-x[i]))",
        lambda x: np.stack([np.maximum(x, 0), np.maximum(-x, 0)], -1),
        x="spread: n",
    ),
    "swiglu_clamped": animal(
        "y[t, i] = clamp(silu(g[t, i]), -1, 1) * clamp(u[t, i], -limit, limit)",
        lambda g, u, limit: np.clip(g * sigmoid(g), -1, 1) * np.clip(u, -limit, limit),
        g="n 3",
        u="n 3",
        limit=0.8,
    ),
    "highway": animal(
        """
        given x[t, i], w[o, i], g[o, i], b[o]
        h[t, o] = sum(i) x[t, i] * w[o, i]
        z[t, o] = sum(i) x[t, i] * g[o, i]
        s[t, o] = sigmoid(z[t, o] + b[o])
        y[t, o] = s[t, o] * relu(h[t, o]) + (1 - s[t, o]) * x[t, o]
        """,
        lambda x, w, g, b: sigmoid(x @ g.T + b) * np.maximum(x @ w.T, 0) + (1 - sigmoid(x @ g.T + b)) * x,
        x="n 3",
        w="3 3",
        g="3 3",
        b="3",
    ),
    "squeeze_excite": animal(
        """
        m[n, c] = mean(h, w) x[n, c, h, w]
        z[n, r] = sum(c) a[r, c] * m[n, c]
        g[n, c] = sum(r) b[c, r] * silu(z[n, r])
        y[n, c, h, w] = x[n, c, h, w] * sigmoid(g[n, c])
        """,
        lambda x, a, b: x * sigmoid((lambda z: z * sigmoid(z))(x.mean((2, 3)) @ a.T) @ b.T)[:, :, None, None],
        x="n 3 2 2",
        a="2 3",
        b="3 2",
    ),
    "sparsemax_step": animal(
        """
        given x[i, j], tau[i]
        p[i, j] = max(x[i, j] - tau[i], 0)
        s[i] = sum(j) p[i, j]
        y[i, j] = p[i, j] / max(s[i], 1e-6)
        """,
        lambda x, tau: (
            np.maximum(x - tau[:, None], 0) / np.maximum(np.maximum(x - tau[:, None], 0).sum(1), 1e-6)[:, None]
        ),
        x="n 4",
        tau="n",
    ),
    "sparsemax": animal(
        """
        k[i, j] = sum(l < size(j)) where(x[i, l] >= x[i, j], 1.0, 0.0)
        c[i, j] = sum(l < size(j)) where(x[i, l] >= x[i, j], x[i, l], 0)
        inside[i, j] = 1 + k[i, j] * x[i, j] > c[i, j]
        count[i] = sum(j) where(inside[i, j], 1.0, 0.0)
        total[i] = sum(j) where(inside[i, j], x[i, j], 0)
        y[i, j] = max(x[i, j] - (total[i] - 1) / count[i], 0)
        """,
        lambda x: sparsemax(x),
        x="spread: n 4",
    ),
    "masked_softmin": animal(
        """
        given x[i, j], keep[i, j]: i32, beta
        z[i, j] = where(keep[i, j] != 0 or j == 0, -beta * x[i, j], -1e30)
        m[i] = max(j) z[i, j]
        e[i, j] = where(keep[i, j] != 0 or j == 0, exp(z[i, j] - m[i]), 0)
        s[i] = sum(j) e[i, j]
        y[i, j] = e[i, j] / s[i]
        """,
        lambda x, keep, beta: softmax(np.where((keep != 0) | (np.arange(x.shape[1]) == 0), -beta * x, -1e30)),
        x="n 4",
        keep="below 2: n 4",
        beta=1.3,
    ),
    "power_softmax": animal(
        """
        p[i, j] = relu(x[i, j]) ** 2 + 1e-3
        s[i] = sum(j) p[i, j]
        y[i, j] = p[i, j] / s[i]
        """,
        lambda x: (np.maximum(x, 0) ** 2 + 1e-3) / (np.maximum(x, 0) ** 2 + 1e-3).sum(1, keepdims=True),
        x="n 4",
    ),
    "softmax_one": animal(
        """
        m[i] = max(j) x[i, j]
        e[i, j] = exp(x[i, j] - m[i])
        s[i] = sum(j) e[i, j]
        y[i, j] = e[i, j] / (s[i] + exp(-m[i]))
        """,
        lambda x: np.exp(x) / (1 + np.exp(x).sum(1, keepdims=True)),
        x="n 4",
    ),
    "entropy_of_logits": animal(
        """
        m[i] = max(j) x[i, j]
        e[i, j] = exp(x[i, j] - m[i])
        s[i] = sum(j) e[i, j]
        w[i] = sum(j) e[i, j] * (x[i, j] - m[i])
        y[i] = log(s[i]) - w[i] / s[i]
        """,
        lambda x: -(softmax(x) * np.log(softmax(x))).sum(1),
        x="n 4",
    ),
}


def sparsemax(x: np.ndarray) -> np.ndarray:
    falling = -np.sort(-x, axis=1)
    ranks = np.arange(1, x.shape[1] + 1)
    count = (1 + ranks * falling > falling.cumsum(1)).sum(1, keepdims=True)
    total = np.take_along_axis(falling.cumsum(1), count - 1, axis=1)
    return np.maximum(x - (total - 1) / count, 0)
