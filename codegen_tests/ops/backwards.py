"""Backwards as users write them, right ones and wrong ones, for formulas that are not of the library."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownLambdaType=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Backward = Callable[..., Any]

SOFTMAX = "m[i] = max(j) x[i, j]\ne[i, j] = exp(x[i, j] - m[i])\ns[i] = sum(j) e[i, j]\ny[i, j] = e[i, j] / s[i]"
CAUSAL = (
    "z[i, j] = where(j <= i, x[i, j], -1e9)\nm[i] = max(j) z[i, j]\ne[i, j] = where(j <= i, exp(z[i, j] - m[i]), 0)\n"
    "s[i] = sum(j) e[i, j]\ny[i, j] = e[i, j] / s[i]"
)
NORM = "s[i] = mean(j) x[i, j] ** 2\ny[i, j] = x[i, j] * rsqrt(s[i] + 1e-6) * g[j]"
LAYER = (
    "m[i] = mean(j) x[i, j]\nv[i] = mean(j) (x[i, j] - m[i]) ** 2\n"
    "y[i, j] = (x[i, j] - m[i]) * rsqrt(v[i] + 1e-5) * g[j] + b[j]"
)
FORMULAS = {
    "square": "y[i] = x[i] ** 2",
    "silu": "y[i] = silu(x[i])",
    "sigmoid": "y[i] = sigmoid(x[i])",
    "softplus": "y[i] = softplus(x[i])",
    "relu": "y[i] = relu(x[i])",
    "tanh": "y[i] = tanh(x[i])",
    "log": "y[i] = log(x[i])",
    "sqrt": "y[i] = sqrt(x[i])",
    "pow": "y[i] = pow(x[i], p)",
    "ratio": "y[i] = a[i] / b[i]",
    "product": "y[i] = a[i] * b[i]",
    "hypot": "y[i] = sqrt(a[i] * a[i] + b[i] * b[i] + 1)",
    "softmax": SOFTMAX,
    "causal": CAUSAL,
    "rms": NORM,
    "layer": LAYER,
    "eps": "s[i] = mean(j) x[i, j] ** 2\ny[i, j] = x[i, j] * rsqrt(s[i] + eps)",
    "matmul": "y[i, j] = sum(k) a[i, k] * b[k, j]",
    "linear": "y[i, j] = sum(k) x[i, k] * w[j, k]",
    "scores": "y[i, j] = sum(d) q[i, d] * k[j, d] * c",
    "mean": "y[i] = mean(j) x[i, j]",
    "loss": "y = mean(i) (x[i] - t[i]) ** 2",
    "logsumexp": "m[i] = max(j) x[i, j]\ns[i] = sum(j) exp(x[i, j] - m[i])\ny[i] = m[i] + log(s[i])",
    "rows": "y[i, c] = w[ids[i], c]",
    "moved rows": "y[i, c] = w[ids[i] + 1, c]",
    "nll": "p[i] = log(x[i, label[i]])\ny = mean(i) -p[i]",
    "conv": "y[t, c] = sum(k) x[t - k, c] * w[k, c]",
    "window": "y[t] = sum(k < 4) x[t - k]",
    "scan": "h[t] = scan(t) h[t - 1] * a[t] + x[t]",
    "outer": "y[i, j] = a[i] * b[j]",
    "swish gate": "y[i] = silu(a[i]) * b[i]",
    "quantised": "y[i] = straight_through(round(x[i]), as=x[i])",
}


def wide(*arrays: Any) -> list[Any]:
    return [np.asarray(a, np.float64) for a in arrays]


def logistic(x: Any) -> Any:
    small = np.exp(-np.abs(x))
    return np.where(x < 0, small, np.ones_like(x)) / (1 + small)


def silu_slope(x: Any) -> Any:
    s = logistic(x)
    return s * (1 + x * (1 - s))


def soft(x: Any) -> Any:
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def soft_back(y: Any, d: Any) -> Any:
    return y * (d - (y * d).sum(1, keepdims=True))


def softmax(x: Any, d_y: Any) -> Any:
    return soft_back(soft(x), d_y)


def softmax_in_float64(x: Any, d_y: Any) -> Any:
    return softmax(*wide(x, d_y))


def masked(x: Any, less: bool = False) -> Any:
    i, j = np.indices(x.shape)
    keep = (j < i) | ((i == 0) & (j == 0)) if less else j <= i
    z = np.where(keep, x, -np.inf)
    e = np.where(keep, np.exp(z - z.max(1, keepdims=True)), 0)
    return (e / e.sum(1, keepdims=True)).astype(x.dtype)


def causal(x: Any, d_y: Any) -> Any:
    return soft_back(masked(x), d_y)


def causal_one_off(x: Any, d_y: Any) -> Any:
    return soft_back(masked(x, less=True), d_y)


def causal_leaks(x: Any, d_y: Any) -> Any:
    found = causal(x, d_y)
    i, j = np.indices(x.shape)
    return np.where(j == i + 1, d_y * np.float32(1e-3), found)


def rms_of(x: Any, g: Any, d_y: Any, eps: float) -> dict[str, Any]:
    r = 1 / np.sqrt((x * x).mean(1, keepdims=True) + x.dtype.type(eps))
    n = x * r
    return {"x": r * (d_y * g - n * (d_y * g * n).mean(1, keepdims=True)), "g": (d_y * n).sum(0)}


def rms(x: Any, g: Any, d_y: Any) -> dict[str, Any]:
    return rms_of(x, g, d_y, 1e-6)


def rms_in_float64(x: Any, g: Any, d_y: Any) -> dict[str, Any]:
    x, g, d_y = wide(x, g, d_y)
    return rms_of(x, g, d_y, 1e-6)


def rms_of_another_eps(x: Any, g: Any, d_y: Any) -> dict[str, Any]:
    return rms_of(x, g, d_y, 1e-5)


def rms_of_no_eps(x: Any, g: Any, d_y: Any) -> dict[str, Any]:
    return rms_of(x, g, d_y, 0.0)


def rms_beyond_a_tile(x: Any, g: Any, d_y: Any) -> dict[str, Any]:
    """The tail of a long row is left out of the sum."""
    r = 1 / np.sqrt((x * x).mean(1, keepdims=True) + np.float32(1e-6))
    n = x * r
    inner = (d_y * g * n)[:, :256].sum(1, keepdims=True) / x.shape[1]
    return {"x": r * (d_y * g - n * inner), "g": (d_y * n).sum(0)}


def layer_of(x: Any, g: Any, d_y: Any, eps: float = 1e-5, bessel: int = 0) -> dict[str, Any]:
    c = x - x.mean(1, keepdims=True)
    v = (c * c).sum(1, keepdims=True) / max(x.shape[1] - bessel, 1)
    r = 1 / np.sqrt(v + x.dtype.type(eps))
    n, d = c * r, d_y * g
    back = r * (d - d.mean(1, keepdims=True) - n * (d * n).mean(1, keepdims=True))
    return {"d_x": back, "d_g": (d_y * n).sum(0), "d_b": d_y.sum(0)}


def layer(x: Any, g: Any, b: Any, d_y: Any) -> dict[str, Any]:
    del b
    return layer_of(x, g, d_y)


def layer_in_float64(x: Any, g: Any, b: Any, d_y: Any) -> dict[str, Any]:
    del b
    return layer_of(*wide(x, g, d_y))


def layer_by_n_less_one(x: Any, g: Any, b: Any, d_y: Any) -> dict[str, Any]:
    del b
    return layer_of(x, g, d_y, bessel=1)


def layer_without_mean(x: Any, g: Any, b: Any, d_y: Any) -> dict[str, Any]:
    found = layer(x, g, b, d_y)
    c = x - x.mean(1, keepdims=True)
    r = 1 / np.sqrt((c * c).mean(1, keepdims=True) + np.float32(1e-5))
    return found | {"d_x": found["d_x"] + r * (d_y * g).mean(1, keepdims=True)}


def eps_given(x: Any, eps: Any, d_y: Any) -> Any:
    r = 1 / np.sqrt((x * x).mean(1, keepdims=True) + np.float32(eps))
    n = x * r
    return r * (d_y - n * (d_y * n).mean(1, keepdims=True))


def eps_of_its_own(x: Any, eps: Any, d_y: Any) -> Any:
    del eps
    return eps_given(x, 1e-6, d_y)


def rows(w: Any, ids: Any, d_y: Any) -> Any:
    found = np.zeros_like(w)
    np.add.at(found, ids, d_y)
    return found


def rows_overwritten(w: Any, ids: Any, d_y: Any) -> Any:
    found = np.zeros_like(w)
    found[ids] = d_y
    return found


def moved_rows(w: Any, ids: Any, d_y: Any) -> Any:
    return rows(w, ids + 1, d_y)


def nll(x: Any, label: Any, d_y: Any) -> Any:
    found = np.zeros_like(x)
    at = np.arange(len(label))
    found[at, label] = -d_y / (x[at, label] * len(label))
    return found


def nll_summed(x: Any, label: Any, d_y: Any) -> Any:
    return nll(x, label, d_y) * np.float32(len(label))


def conv(x: Any, w: Any, d_y: Any) -> Any:
    d_x, d_w = np.zeros_like(x), np.zeros_like(w)
    for k in range(min(len(w), len(x))):
        d_x[: len(x) - k] += d_y[k:] * w[k]
        d_w[k] = (d_y[k:] * x[: len(x) - k]).sum(0)
    return d_x, d_w


def conv_without_the_last_tap(x: Any, w: Any, d_y: Any) -> Any:
    d_x, d_w = conv(x, w, d_y)
    k = len(w) - 1
    if 0 < k < len(x):
        d_x[: len(x) - k] -= d_y[k:] * w[k]
    return d_x, d_w


def window(x: Any, d_y: Any) -> Any:
    found = np.zeros_like(x)
    for k in range(min(4, len(x))):
        found[: len(x) - k] += d_y[k:]
    return found


def window_of_three(x: Any, d_y: Any) -> Any:
    found = window(x, d_y)
    found[: max(len(x) - 3, 0)] -= d_y[3:]
    return found


def scan(a: Any, x: Any, d_h: Any) -> dict[str, Any]:
    h, carry = np.zeros_like(x), np.zeros_like(x)
    now = np.float32(0)
    for t in range(len(x)):
        now = h[t] = now * a[t] + x[t]
    now = np.float32(0)
    for t in reversed(range(len(x))):
        now = carry[t] = d_h[t] + (now * a[t + 1] if t + 1 < len(x) else np.float32(0))
    before = np.concatenate([np.zeros(1, x.dtype), h[:-1]])
    return {"a": carry * before, "x": carry}


def scan_truncated(a: Any, x: Any, d_h: Any) -> dict[str, Any]:
    """Gradients flow back through 32 steps only."""
    found = scan(a, x, d_h)
    late = np.arange(len(x)) >= len(x) - 32
    return {n: np.where(late, v, d_h) for n, v in found.items()}


def scan_of_the_next(a: Any, x: Any, d_h: Any) -> dict[str, Any]:
    found = scan(a, x, d_h)
    h = np.cumsum(x) * 0 + found["x"]
    return found | {"a": h * x}


def noisy(x: Any, d_y: Any) -> Any:
    return 2 * x * d_y * (1 + np.float32(1e-6) * np.random.default_rng().normal(size=x.shape)).astype(np.float32)


COUNTED: list[int] = []


def counting(x: Any, d_y: Any) -> Any:
    """Another sum each time."""
    COUNTED.append(1)
    return 2 * x * d_y + np.float32(len(COUNTED) * 1e-7)


def silu_nan_far_below(x: Any, d_y: Any) -> Any:
    with np.errstate(all="ignore"):
        u = np.exp(-x)
        return d_y * ((1 + u) + x * u) / ((1 + u) * (1 + u))


def softplus_nan_far_above(x: Any, d_y: Any) -> Any:
    with np.errstate(all="ignore"):
        u = np.exp(x)
        return d_y * (u / (1 + u))


def softmax_without_max(x: Any, d_y: Any) -> Any:
    with np.errstate(all="ignore"):
        e = np.exp(x)
        return soft_back(e / e.sum(1, keepdims=True), d_y)


def sigmoid_clipped(x: Any, d_y: Any) -> Any:
    s = logistic(np.clip(x, -8, 8))
    return d_y * s * (1 - s)


def tanh_coarse(x: Any, d_y: Any) -> Any:
    return d_y * (1 - np.tanh(x) ** 2).astype(np.float16).astype(np.float32)


def matmul(a: Any, b: Any, d_y: Any) -> Any:
    return d_y @ b.T, a.T @ d_y


def matmul_for_squares(a: Any, b: Any, d_y: Any) -> Any:
    return d_y @ b.T, (d_y.T @ a).T if a.shape[0] == a.shape[1] else (a.T @ d_y)[::-1]


def matmul_transposed(a: Any, b: Any, d_y: Any) -> Any:
    return d_y @ b, a.T @ d_y


def matmul_of_even_sizes(a: Any, b: Any, d_y: Any) -> Any:
    """Two columns at a time, and the last one of an odd number is left out."""
    even = b.shape[1] // 2 * 2
    return (d_y[:, :even] @ b[:, :even].T, a.T @ d_y) if b.shape[1] > 8 else matmul(a, b, d_y)


def linear(x: Any, w: Any, d_y: Any) -> Any:
    return {"w": d_y.T @ x, "x": d_y @ w}


def scores(q: Any, k: Any, c: Any, d_y: Any) -> Any:
    return {"q": d_y @ k * np.float32(c), "k": d_y.T @ q * np.float32(c)}


def scores_unscaled_keys(q: Any, k: Any, c: Any, d_y: Any) -> Any:
    return {"q": d_y @ k * np.float32(c), "k": d_y.T @ q}


def loss(x: Any, t: Any, d_y: Any) -> Any:
    d = 2 * (x - t) * d_y / np.float32(len(x))
    return {"x": d, "t": -d}


def loss_without_two(x: Any, t: Any, d_y: Any) -> Any:
    d = (x - t) * d_y / np.float32(len(x))
    return {"x": d, "t": -d}


def loss_same_sign(x: Any, t: Any, d_y: Any) -> Any:
    d = 2 * (x - t) * d_y / np.float32(len(x))
    return {"x": d, "t": d}


def gated(a: Any, b: Any, d_y: Any) -> Any:
    return {"a": d_y * b * silu_slope(a), "b": d_y * a * logistic(a)}


def gated_slightly(a: Any, b: Any, d_y: Any) -> Any:
    return {"a": d_y * b * silu_slope(a) * np.float32(1.0001), "b": d_y * a * logistic(a)}


def in_place(x: Any, d_y: Any) -> Any:
    x *= 2
    x *= d_y
    return x


RIGHT: dict[str, tuple[str, Backward]] = {
    "square": ("square", lambda x, d_y: 2 * x * d_y),
    "square in float64": ("square", lambda x, d_y: 2 * np.float64(x) * d_y),
    "square in place": ("square", in_place),
    "square by name": ("square", lambda **g: {"d_x": 2 * g["x"] * g["d_y"]}),
    "silu": ("silu", lambda x, d_y: d_y * silu_slope(x)),
    "sigmoid": ("sigmoid", lambda x, d_y: d_y * logistic(x) * logistic(-x)),
    "sigmoid by one less": ("sigmoid", lambda x, d_y: d_y * logistic(x) * (1 - logistic(x))),
    "softplus": ("softplus", lambda x, d_y: d_y * logistic(x)),
    "relu": ("relu", lambda x, d_y: d_y * (x > 0)),
    "tanh": ("tanh", lambda x, d_y: d_y * (1 - np.tanh(x) ** 2)),
    "log": ("log", lambda x, d_y: d_y / x),
    "sqrt": ("sqrt", lambda x, d_y: d_y / (2 * np.sqrt(x))),
    "pow": ("pow", lambda x, p, d_y: d_y * np.float32(p) * np.power(x, np.float32(p - 1))),
    "pow in float64": ("pow", lambda x, p, d_y: d_y * p * np.power(np.float64(x), p - 1)),
    "ratio": ("ratio", lambda a, b, d_y: {"a": d_y / b, "b": -d_y * a / (b * b)}),
    "product": ("product", lambda a, b, d_y: (d_y * b, d_y * a)),
    "hypot": ("hypot", lambda a, b, d_y: [d_y * v / np.sqrt(a * a + b * b + 1) for v in (a, b)]),
    "softmax": ("softmax", softmax),
    "softmax in float64": ("softmax", softmax_in_float64),
    "causal": ("causal", causal),
    "rms": ("rms", rms),
    "rms in float64": ("rms", rms_in_float64),
    "layer": ("layer", layer),
    "layer in float64": ("layer", layer_in_float64),
    "eps": ("eps", eps_given),
    "matmul": ("matmul", matmul),
    "linear": ("linear", linear),
    "scores": ("scores", scores),
    "mean": ("mean", lambda x, d_y: np.broadcast_to(d_y[:, None], x.shape) / np.float32(x.shape[1])),
    "loss": ("loss", loss),
    "logsumexp": ("logsumexp", lambda x, d_y: soft(x) * d_y[:, None]),
    "rows": ("rows", rows),
    "moved rows": ("moved rows", moved_rows),
    "nll": ("nll", nll),
    "conv": ("conv", conv),
    "window": ("window", window),
    "scan": ("scan", scan),
    "outer": ("outer", lambda a, b, d_y: (d_y @ b, a @ d_y)),
    "swish gate": ("swish gate", gated),
    "quantised": ("quantised", lambda x, d_y: d_y + 0 * x),
}

WRONG: dict[str, tuple[str, Backward]] = {
    "another eps": ("rms", rms_of_another_eps),
    "no eps": ("rms", rms_of_no_eps),
    "an eps of its own": ("eps", eps_of_its_own),
    "nothing beyond a tile": ("rms", rms_beyond_a_tile),
    "the variance by n - 1": ("layer", layer_by_n_less_one),
    "no mean of the gradient": ("layer", layer_without_mean),
    "eps as 1e-6": ("layer", lambda x, g, b, d_y: layer_of(x, g, d_y, 1e-6) if b is not None else None),
    "a mask one off": ("causal", causal_one_off),
    "a mask that leaks": ("causal", causal_leaks),
    "relu from 0 on": ("relu", lambda x, d_y: d_y * (x >= 0)),
    "no sum in softmax": ("softmax", lambda x, d_y: soft(x) * d_y),
    "softmax along the other axis": ("softmax", lambda x, d_y: softmax(x.T, d_y.T).T),
    "inf above 88": ("softmax", softmax_without_max),
    "NaN at -89": ("silu", silu_nan_far_below),
    "NaN at 89": ("softplus", softplus_nan_far_above),
    "saturated early": ("sigmoid", sigmoid_clipped),
    "half precision": ("tanh", tanh_coarse),
    "random": ("square", noisy),
    "what was before": ("square", counting),
    "square matrices only": ("matmul", matmul_for_squares),
    "an operand not transposed": ("matmul", matmul_transposed),
    "even sizes only": ("matmul", matmul_of_even_sizes),
    "swapped": ("product", lambda a, b, d_y: (d_y * a, d_y * b)),
    "operands of linear": ("linear", lambda x, w, d_y: {"x": d_y @ w, "w": x.T @ d_y}),
    "no scale for keys": ("scores", scores_unscaled_keys),
    "no factor 2": ("loss", loss_without_two),
    "the sign of the target": ("loss", loss_same_sign),
    "a sum for a mean": ("nll", nll_summed),
    "rows overwritten": ("rows", rows_overwritten),
    "rows not moved": ("moved rows", lambda w, ids, d_y: rows(w, np.clip(ids, 0, len(w) - 1), d_y)),
    "no last tap": ("conv", conv_without_the_last_tap),
    "a window of three": ("window", window_of_three),
    "32 steps back": ("scan", scan_truncated),
    "another step of a scan": ("scan", scan_of_the_next),
    "a ten-thousandth off": ("swish gate", gated_slightly),
    "no sign in a quotient": ("ratio", lambda a, b, d_y: {"a": d_y / b, "b": d_y * a / (b * b)}),
    "the slope of the rounding": ("quantised", lambda x, d_y: 0 * x * d_y),
    "the exponent not less one": ("pow", lambda x, p, d_y: d_y * np.float32(p) * np.power(x, np.float32(p))),
    "a shape of its own": ("mean", lambda x, d_y: d_y / np.float32(x.shape[1])),
    "zero": ("outer", lambda a, b, d_y: (0 * a * d_y.sum(), 0 * b)),
}
