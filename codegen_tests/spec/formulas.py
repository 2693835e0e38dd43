"""The usual operations as formulas, each beside its direct meaning in numpy and a way to draw arguments of odd sizes.

case = FORMULAS["softmax"];  case.formula;  case.meaning(**case.draw(random, 5))
"""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = Any


@dataclass(frozen=True)
class Case:
    """draw(random, n) gives arguments whose sizes derive from n; meaning gives the output by name."""

    formula: str
    draw: Callable[[np.random.Generator, int], dict[str, Any]]
    meaning: Callable[..., dict[str, Array]]


def normal(**axes: Callable[[int], tuple[int, ...]]) -> Callable[[np.random.Generator, int], dict[str, Any]]:
    """Normal arrays of these shapes."""
    return lambda random, n: {name: random.normal(size=shape(n)) for name, shape in axes.items()}


def drawn(
    more: Callable[[np.random.Generator, int], dict[str, Any]], **axes: Callable[[int], tuple[int, ...]]
) -> Callable[[np.random.Generator, int], dict[str, Any]]:
    """Normal arrays, and others."""
    return lambda random, n: normal(**axes)(random, n) | more(random, n)


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def silu(x: Array) -> Array:
    return x * sigmoid(x)


def softplus(x: Array) -> Array:
    return np.logaddexp(x, 0)


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def rms(x: Array, eps: float) -> Array:
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps)


def rope_split(x: Array, base: float, offset: int) -> Array:
    t, d = x.shape
    angle = (np.arange(t)[:, None] + offset) * base ** (-2 * np.arange(d // 2) / d)
    low, high = x[:, : d // 2], x[:, d // 2 :]
    return np.concatenate([low * np.cos(angle) - high * np.sin(angle), low * np.sin(angle) + high * np.cos(angle)], 1)


def rope_interleaved(x: Array, base: float) -> Array:
    t, d = x.shape
    angle = np.arange(t)[:, None] * base ** (-2 * np.arange(d // 2) / d)
    out = np.empty_like(x)
    out[:, ::2] = x[:, ::2] * np.cos(angle) - x[:, 1::2] * np.sin(angle)
    out[:, 1::2] = x[:, ::2] * np.sin(angle) + x[:, 1::2] * np.cos(angle)
    return out


def attention(q: Array, k: Array, v: Array, scale: float) -> Array:
    groups = q.shape[0] // k.shape[0]
    s = np.einsum("htc,huc->htu", q, np.repeat(k, groups, 0)) * scale
    mask = np.tril(np.ones(s.shape[1:], bool))
    return np.einsum("htu,huc->htc", softmax(np.where(mask, s, -1e30)), np.repeat(v, groups, 0))


def cross_entropy(x: Array, label: Array) -> Array:
    counted = label < x.shape[1]
    rows = x[counted]
    lse = np.log(np.exp(rows - rows.max(1, keepdims=True)).sum(1)) + rows.max(1)
    return (lse - rows[np.arange(len(rows)), label[counted]]).sum() / max(len(rows), 1)


def conv(x: Array, w: Array, bias: Array) -> Array:
    y = np.tile(bias, (*x.shape[:2], 1)).astype(x.dtype)
    for k in range(min(w.shape[1], x.shape[1])):
        y[:, k:] += w[:, k] * x[:, : x.shape[1] - k]
    return y


def mamba1(u: Array, delta: Array, A_log: Array, B: Array, C: Array, D: Array) -> Array:  # noqa: N803 (the letters of the field)
    a = -np.exp(np.clip(A_log, -10, 5))
    dv = softplus(delta)
    h = np.zeros((u.shape[0], u.shape[2], B.shape[2]))
    y = np.zeros_like(u)
    for t in range(u.shape[1]):
        step = np.exp(dv[:, t, :, None] * a)
        h = step * h + (step - 1) / a * B[:, t, None, :] * u[:, t, :, None]
        y[:, t] = (h * C[:, t, None, :]).sum(-1) + D * u[:, t]
    return y


def ssd(x: Array, dt_raw: Array, dt_bias: Array, A_log: Array, B: Array, C: Array, D: Array) -> Array:  # noqa: N803
    heads, groups = x.shape[1], B.shape[1]
    dt = softplus(dt_raw + dt_bias)
    a = np.exp(-np.exp(A_log) * dt)
    of = np.arange(heads) * groups // heads
    h = np.zeros((heads, B.shape[2], x.shape[2]))
    y = np.zeros_like(x)
    for t in range(x.shape[0]):
        h = a[t][:, None, None] * h + dt[t][:, None, None] * B[t][of][:, :, None] * x[t][:, None, :]
        y[t] = (C[t][of][:, :, None] * h).sum(1) + D[:, None] * x[t]
    return y


def ternary(codes: Array, scale: float, x: Array) -> Array:
    return scale * (codes.astype(float) - 1) @ x


def blockwise(q: Array, w: Array, sx: Array, sw: Array) -> Array:
    return (q.astype(np.int64) @ w.astype(np.int64)) * sx[:, None] * sw[None, :]


def flash(s: Array, v: Array) -> Array:
    return softmax(s) @ v


def square(n: int) -> tuple[int, ...]:
    return (n, n + 1)


FORMULAS: dict[str, Case] = {
    "gemm": Case(
        "c[m, n] = sum(k) a[m, k] * b[k, n]",
        normal(a=lambda n: (n, n + 2), b=lambda n: (n + 2, 7)),
        lambda a, b: {"c": a @ b},
    ),
    "gemm_transposed": Case(
        "c[m, n] = sum(k) a[k, m] * b[n, k]",
        normal(a=lambda n: (n, 3), b=lambda n: (5, n)),
        lambda a, b: {"c": a.T @ b.T},
    ),
    "linear": Case(
        """
        p[..., o] = sum(i) x[..., i] * w[o, i]
        y[..., o] = p[..., o] + b[o]
        """,
        normal(x=lambda n: (2, n, 3), w=lambda n: (n, 3), b=lambda n: (n,)),
        lambda x, w, b: {"y": x @ w.T + b},
    ),
    "softmax": Case(
        """
        m[...] = max(j) x[..., j]
        e[..., j] = exp(x[..., j] - m[...])
        s[...] = sum(j) e[..., j]
        y[..., j] = e[..., j] / s[...]
        """,
        drawn(lambda _, n: {"x": np.array([[1000.0, 1001.0, 1002.0]] * n)}),
        lambda x: {"y": softmax(x)},
    ),
    "causal_softmax": Case(
        """
        z[i, j] = where(j <= i, x[i, j], -1e30)
        m[i] = max(j) z[i, j]
        e[i, j] = where(j <= i, exp(x[i, j] - m[i]), 0)
        s[i] = sum(j) e[i, j]
        y[i, j] = e[i, j] / s[i]
        """,
        normal(x=lambda n: (n, n)),
        lambda x: {"y": softmax(np.where(np.tril(np.ones(x.shape, bool)), x, -np.inf))},
    ),
    "rms_norm": Case(
        """
        given x[..., i], g[i], eps
        q[...] = mean(i) x[..., i] ** 2
        r[...] = rsqrt(q[...] + eps)
        y[..., i] = x[..., i] * r[...] * g[i]
        saved(r)
        """,
        drawn(lambda _, __: {"eps": 1e-6}, x=square, g=lambda n: (n + 1,)),
        lambda x, g, eps: {"y": rms(x, eps) * g},
    ),
    "layer_norm": Case(
        """
        mu[...] = mean(i) x[..., i]
        c[..., i] = x[..., i] - mu[...]
        v[...] = mean(i) c[..., i] * c[..., i]
        y[..., i] = c[..., i] / sqrt(v[...] + 1e-5) * g[i] + b[i]
        """,
        normal(x=square, g=lambda n: (n + 1,), b=lambda n: (n + 1,)),
        lambda x, g, b: {"y": (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * g + b},
    ),
    "rope_split": Case(
        """
        given x[t, d], base, offset: i32
        angle[t < size(t), i < size(d) // 2] = (t + offset) * base ** (-2 * i / size(d))
        y[t, d < size(d)] = where(d < size(d) // 2,
            x[t, d] * cos(angle[t, d]) - x[t, d + size(d) // 2] * sin(angle[t, d]),
            x[t, d - size(d) // 2] * sin(angle[t, d - size(d) // 2]) + x[t, d] * cos(angle[t, d - size(d) // 2]))
        """,
        drawn(lambda _, __: {"base": 1e4, "offset": 3}, x=lambda n: (n, 2 * n)),
        lambda x, base, offset: {"y": rope_split(x, base, offset)},
    ),
    "rope_interleaved": Case(
        """
        given x[t, d], base
        angle[t < size(t), i < size(d) // 2] = t * base ** (-2 * i / size(d))
        y[t, d] = where(d % 2 == 0,
            x[t, d] * cos(angle[t, d // 2]) - x[t, d + 1] * sin(angle[t, d // 2]),
            x[t, d - 1] * sin(angle[t, d // 2]) + x[t, d] * cos(angle[t, d // 2]))
        """,
        drawn(lambda _, __: {"base": 1e4}, x=lambda n: (n, 2 * n)),
        lambda x, base: {"y": rope_interleaved(x, base)},
    ),
    "attention": Case(
        """
        given q[h, t, c], k[g, u, c], v[g, u, d], scale
        s[h, t, u] = sum(c) scale * q[h, t, c] * k[h // (size(h) // size(g)), u, c]
        z[h, t, u] = where(u <= t, s[h, t, u], -1e30)
        m[h, t] = max(u) z[h, t, u]
        e[h, t, u] = exp(z[h, t, u] - m[h, t])
        l[h, t] = sum(u) e[h, t, u]
        a[h, t, u] = e[h, t, u] / l[h, t]
        o[h, t, d] = sum(u) a[h, t, u] * v[h // (size(h) // size(g)), u, d]
        """,
        drawn(
            lambda _, __: {"scale": 0.5},
            q=lambda n: (6, n, 5),
            k=lambda n: (3, n, 5),
            v=lambda n: (3, n, 4),
        ),
        lambda q, k, v, scale: {"o": attention(q, k, v, scale)},
    ),
    "flash": Case(
        """
        given s[q, u], v[u, d]
        m[q, u] = scan(u, start=-1e30) max(m[q, u - 1], s[q, u])
        p[q, u] = exp(m[q, u - 1; -1e30] - m[q, u])
        w[q, u] = exp(s[q, u] - m[q, u])
        l[q, u] = scan(u) l[q, u - 1] * p[q, u] + w[q, u]
        o[q, d, u] = scan(u) o[q, d, u - 1] * p[q, u] + w[q, u] * v[u, d]
        y[q, d] = o[q, d, size(u) - 1] / l[q, size(u) - 1]
        """,
        normal(s=square, v=lambda n: (n + 1, 3)),
        lambda s, v: {"y": flash(s, v)},
    ),
    "relu2_gate": Case(
        "h[i, j] = relu(g[i, j]) ** 2 * u[i, j]",
        normal(g=square, u=square),
        lambda g, u: {"h": np.maximum(g, 0) ** 2 * u},
    ),
    "swiglu": Case("h[i, j] = silu(g[i, j]) * u[i, j]", normal(g=square, u=square), lambda g, u: {"h": silu(g) * u}),
    "gelu": Case(
        "y[...] = gelu(x[...])",
        normal(x=square),
        lambda x: {"y": 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))},
    ),
    "softplus": Case("y[...] = softplus(x[...])", normal(x=square), lambda x: {"y": softplus(x)}),
    "clamp": Case(
        "y[...] = clamp(x[...], -0.5, high)",
        drawn(lambda _, __: {"high": 0.25}, x=square),
        lambda x, high: {"y": np.clip(x, -0.5, high)},
    ),
    "embedding": Case(
        "x[b, t, c] = w[ids[b, t], c] + pos[t, c]",
        drawn(lambda r, n: {"ids": r.integers(0, 7, (2, n))}, w=lambda _: (7, 3), pos=lambda n: (n, 3)),
        lambda ids, w, pos: {"x": w[ids] + pos},
    ),
    "cross_entropy": Case(
        """
        given x[t, v], label[t]: i32
        m[t] = max(v) x[t, v]
        s[t] = sum(v) exp(x[t, v] - m[t])
        counted[t] = label[t] < size(v)
        n = sum(t) counted[t]
        each[t] = where(counted[t], m[t] + log(s[t]) - x[t, label[t]; 0], 0)
        total = sum(t) each[t]
        loss = total / max(n, 1)
        """,
        drawn(lambda r, n: {"label": r.integers(0, 6, n)}, x=lambda n: (n, 5)),
        lambda x, label: {"loss": np.asarray(cross_entropy(x, label))},
    ),
    "ternary": Case(
        "y[o] = sum(i) scale * (codes[o, i] - 1) * x[i]",
        drawn(lambda r, n: {"codes": r.integers(0, 3, (3, n)), "scale": 0.7}, x=lambda n: (n,)),
        lambda codes, scale, x: {"y": ternary(codes, scale, x)},
    ),
    "nf4_dequantised": Case(
        "w[i] = lut[codes[i]] * scale[i // 4]",
        drawn(lambda r, n: {"codes": r.integers(0, 16, 4 * n)}, lut=lambda _: (16,), scale=lambda n: (n,)),
        lambda codes, lut, scale: {"w": lut[codes] * np.repeat(scale, 4)},
    ),
    "int8_gemm": Case(
        """
        given q[m, k]: i32, w[k, n]: i32, sx[m], sw[n]
        acc[m, n] = sum(k) q[m, k] * w[k, n]
        c[m, n] = acc[m, n] * sx[m] * sw[n]
        """,
        drawn(
            lambda r, n: {"q": r.integers(-128, 128, (n, 5)), "w": r.integers(-128, 128, (5, 3))},
            sx=lambda n: (n,),
            sw=lambda _: (3,),
        ),
        lambda q, w, sx, sw: {"c": blockwise(q, w, sx, sw)},
    ),
    "quantised_rows": Case(
        """
        top[i] = max(j) abs(x[i, j])
        s[i] = max(top[i] / 127, 1e-8)
        q[i, j] = i32(clamp(floor(x[i, j] / s[i] + 0.5), -128, 127))
        """,
        normal(x=square),
        lambda x: {
            "q": np.clip(np.floor(x / np.maximum(np.abs(x).max(1, keepdims=True) / 127, 1e-8) + 0.5), -128, 127)
        },
    ),
    "straight_through": Case(
        "y[i] = straight_through(round(x[i]), as=x[i])", normal(x=lambda n: (n,)), lambda x: {"y": np.rint(x)}
    ),
    "conv1d": Case(
        """
        given x[b, t, d], w[d, k], bias[d]
        p[b, t, d] = sum(k) w[d, k] * x[b, t - k, d]
        y[b, t, d] = bias[d] + p[b, t, d]
        """,
        normal(x=lambda n: (2, n, 3), w=lambda _: (3, 4), bias=lambda _: (3,)),
        lambda x, w, bias: {"y": conv(x, w, bias)},
    ),
    "mamba1": Case(
        """
        given u[b, t, d], delta[b, t, d], A_log[d, n], B[b, t, n], C[b, t, n], D[d]
        a[d, n] = -exp(clamp(A_log[d, n], -10, 5))
        dv[b, t, d] = softplus(delta[b, t, d])
        Ab[b, t, d, n] = exp(dv[b, t, d] * a[d, n])
        h[b, t, d, n] = scan(t) Ab[b, t, d, n] * h[b, t - 1, d, n] + (Ab[b, t, d, n] - 1) / a[d, n] * B[b, t, n] * u[b, t, d]
        o[b, t, d] = sum(n) C[b, t, n] * h[b, t, d, n]
        y[b, t, d] = o[b, t, d] + D[d] * u[b, t, d]
        """,
        normal(
            u=lambda n: (2, n, 3),
            delta=lambda n: (2, n, 3),
            A_log=lambda _: (3, 4),
            B=lambda n: (2, n, 4),
            C=lambda n: (2, n, 4),
            D=lambda _: (3,),
        ),
        lambda **given: {"y": mamba1(**given)},
    ),
    "ssd": Case(
        """
        given x[t, e, i], dt_raw[t, e], dt_bias[e], A_log[e], B[t, g, n], C[t, g, n], D[e]
        dt[t, e] = softplus(dt_raw[t, e] + dt_bias[e])
        a[t, e] = exp(-exp(A_log[e]) * dt[t, e])
        h[t, e, n < size(n), i] = scan(t) a[t, e] * h[t - 1, e, n, i] + dt[t, e] * B[t, e * size(g) // size(e), n] * x[t, e, i]
        o[t, e, i] = sum(n) C[t, e * size(g) // size(e), n] * h[t, e, n, i]
        y[t, e, i] = o[t, e, i] + D[e] * x[t, e, i]
        """,
        normal(
            x=lambda n: (n, 4, 3),
            dt_raw=lambda n: (n, 4),
            dt_bias=lambda _: (4,),
            A_log=lambda _: (4,),
            B=lambda n: (n, 2, 5),
            C=lambda n: (n, 2, 5),
            D=lambda _: (4,),
        ),
        lambda **given: {"y": ssd(**given)},
    ),
    "lora": Case(
        """
        given x[m, i], w[o, i], a[r, i], b[o, r], alpha
        base[m, o] = sum(i) x[m, i] * w[o, i]
        h[m, r] = sum(i) x[m, i] * a[r, i]
        up[m, o] = sum(r) h[m, r] * b[o, r]
        y[m, o] = base[m, o] + alpha / size(r) * up[m, o]
        """,
        drawn(
            lambda _, __: {"alpha": 16.0},
            x=lambda n: (n, 5),
            w=lambda _: (3, 5),
            a=lambda _: (2, 5),
            b=lambda _: (3, 2),
        ),
        lambda x, w, a, b, alpha: {"y": x @ w.T + alpha / 2 * (x @ a.T) @ b.T},
    ),
    "concat": Case(
        "given a[p], b[q]\ny[i < size(p) + size(q)] = where(i < size(p), a[i], b[i - size(p)])",
        normal(a=lambda n: (n,), b=lambda n: (n + 2,)),
        lambda a, b: {"y": np.concatenate([a, b])},
    ),
    "argmax": Case(
        """
        m[i] = max(j) x[i, j]
        at[i, j] = where(x[i, j] == m[i], j, size(j))
        y[i] = min(j) at[i, j]
        """,
        normal(x=square),
        lambda x: {"y": x.argmax(1)},
    ),
    "cache_write": Case(
        "given cache[h, s, c], k[h, t, c], pos: i32\nout_[h, s, c] = where(s >= pos and s < pos + size(t), k[h, s - pos, c], cache[h, s, c])",
        drawn(lambda _, __: {"pos": 2}, cache=lambda n: (2, n + 4, 3), k=lambda n: (2, n, 3)),
        lambda cache, k, pos: {"out_": np.concatenate([cache[:, :pos], k, cache[:, pos + k.shape[1] :]], 1)},
    ),
}
