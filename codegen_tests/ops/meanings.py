"""Each op of the library as direct numpy: what its formula is held to.

MEANINGS["softmax"](x=x)        # one array, or a tuple of them
"""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from codegen_tests.spec import formulas

Array = Any


def masked(x: Array, keep: Array) -> Array:
    """A softmax over the kept places; rows without one are 0."""
    e = np.where(keep, np.exp(np.where(keep, x, -1e30) - np.where(keep, x, -1e30).max(-1, keepdims=True)), 0)
    total = e.sum(-1, keepdims=True)
    return e / np.where(total > 0, total, 1)


def log_masked(x: Array, keep: Array, fill: float) -> Array:
    with np.errstate(divide="ignore"):
        return np.where(keep, np.log(masked(x, keep)), fill)


def log_sum(x: Array) -> Array:
    top = x.max(-1, keepdims=True)
    return np.log(np.exp(x - top).sum(-1)) + top[..., 0]


def centred(x: Array, eps: float) -> Array:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)


def turned(x: Array, base: float, offset: int, rope: Callable[..., Array]) -> Array:
    return np.stack([rope(row, base, offset) for row in x])


def interleaved(x: Array, base: float, offset: int) -> Array:
    t, d = x.shape
    angle = (np.arange(t)[:, None] + offset) * base ** (-2 * np.arange(d // 2) / d)
    turn = (x[:, ::2] + 1j * x[:, 1::2]) * np.exp(1j * angle)
    return np.stack([turn.real, turn.imag], -1).reshape(t, d)


def attention(q: Array, k: Array, v: Array, scale: float) -> Array:
    groups = q.shape[0] // k.shape[0]
    s = np.einsum("htc,huc->htu", q, np.repeat(k, groups, 0)) * scale
    return np.einsum("htu,hud->htd", formulas.softmax(s), np.repeat(v, groups, 0))


def cached_attention(q: Array, k: Array, v: Array, scale: float, position: int) -> Array:
    """Each query against the part of the cache that is written by then."""
    every = [attention(q[:, [t]], k[:, : position + t + 1], v[:, : position + t + 1], scale) for t in range(q.shape[1])]
    return np.concatenate(every, 1)


def cross_entropy(x: Array, label: Array, start: int = 0, stop: int = 2**30) -> Array:
    counted = [t for t in range(len(label)) if 0 <= label[t] < x.shape[1] and start <= t < stop]
    return np.asarray(sum(log_sum(x[t]) - x[t, label[t]] for t in counted) / max(len(counted), 1))


def recurrence(a: Array, u: Array) -> Array:
    h = np.zeros_like(u)
    for t in range(u.shape[1]):
        h[:, t] = (h[:, t - 1] * a[:, t] if t else 0) + u[:, t]
    return h


def top_k(x: Array, k: int) -> tuple[Array, Array]:
    order = np.argsort(-x, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(x, order, 1), order


def scattered(x: Array, rows: Array, count: int) -> Array:
    y = np.zeros((count, x.shape[1]))
    np.add.at(y, rows, x)
    return y


def adamw(  # noqa: PLR0913, RUF100 (its parameters)
    p: Array,
    g: Array,
    m: Array,
    v: Array,
    rate: float,
    beta1: float,
    beta2: float,
    eps: float,
    decay: float,
    **debias: float,
) -> tuple[Array, Array, Array]:
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g
    step = (m / debias["debias1"]) / (np.sqrt(v / debias["debias2"]) + eps)
    return p - rate * decay * p - rate * step, m, v


def cache_write(cache: Array, new: Array, position: int) -> Array:
    y = cache.copy()
    room = y[:, position : position + new.shape[1]]
    room[:] = new[:, : room.shape[1]]
    return y


def split_heads(x: Array, heads: int) -> Array:
    return x.reshape(len(x), heads, -1).transpose(1, 0, 2)


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Ten rounds on Python's own numbers."""
    a, b, c, d = counter
    for turn in range(10):
        k0, k1 = (key[0] + turn * 0x9E3779B9) % 2**32, (key[1] + turn * 0xBB67AE85) % 2**32
        left, right = a * 0xD2511F53, c * 0xCD9E8D57
        a, b, c, d = (right >> 32) ^ b ^ k0, right % 2**32, (left >> 32) ^ d ^ k1, left % 2**32
    return [a, b, c, d]


def random_bits(n: int, key0: int, key1: int, word0: int, word1: int, word2: int, word3: int) -> Array:
    draws = [philox([(word0 + i) % 2**32, word1, word2, word3], [key0, key1]) for i in range((n + 3) // 4)]
    return np.array([word for draw in draws for word in draw][:n])


def random_uniform(**words: int) -> Array:
    return (random_bits(**words) >> 8) / 2**24


def random_normal(**words: int) -> Array:
    u = random_uniform(**words)
    u = u[: len(u) // 2 * 2].reshape(-1, 2)
    radius, angle = np.sqrt(-2 * np.log(u[:, 0] + 2**-24)), 2 * np.pi * u[:, 1]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1).reshape(-1)


MEANINGS: dict[str, Callable[..., Any]] = {
    "copy": lambda x: x,
    "fill": lambda n, value: np.full(n, value),
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "scale": lambda x, factor: x * factor,
    "exp": lambda x: np.exp(x),
    "log": lambda x: np.log(x),
    "sqrt": lambda x: np.sqrt(x),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "tanh": lambda x: np.tanh(x),
    "sigmoid": formulas.sigmoid,
    "relu": lambda x: np.maximum(x, 0),
    "relu2_gate": lambda g, u: np.maximum(g, 0) ** 2 * u,
    "gelu": lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    "silu": formulas.silu,
    "swiglu": lambda g, u: formulas.silu(g) * u,
    "softplus": formulas.softplus,
    "clamp": lambda x, low, high: np.clip(x, low, high),
    "sum": lambda x: x.sum(-1),
    "mean": lambda x: x.mean(-1),
    "max": lambda x: x.max(-1),
    "min": lambda x: x.min(-1),
    "sum_squares": lambda x: (x * x).sum(-1),
    "logsumexp": log_sum,
    "softmax": formulas.softmax,
    "log_softmax": lambda x: x - log_sum(x)[..., None],
    "causal_softmax": lambda x: masked(x, np.tri(*x.shape[-2:], dtype=bool)),
    "masked_softmax": lambda x, mask: masked(x, mask != 0),
    "causal_log_softmax": lambda x, fill: log_masked(x, np.tri(*x.shape[-2:], dtype=bool), fill),
    "masked_log_softmax": lambda x, mask, fill: log_masked(x, mask != 0, fill),
    "argmax": lambda x: x.argmax(-1),
    "top_k": top_k,
    "layer_norm": centred,
    "layer_norm_affine": lambda x, g, b, eps: centred(x, eps) * g + b,
    "rms_norm": lambda x, g, eps: formulas.rms(x, eps) * g,
    "rms_norm_plain": formulas.rms,
    "l2_norm": lambda x, eps: x / np.sqrt((x * x).sum(-1, keepdims=True) + eps),
    "matmul": lambda a, b: a @ b,
    "matmul_nt": lambda a, b: a @ b.T,
    "matmul_tn": lambda a, b: a.T @ b,
    "matmul_tt": lambda a, b: a.T @ b.T,
    "batched_matmul": lambda x, w: x @ w,
    "batched_matmul_nt": lambda x, w: x @ w.swapaxes(1, 2),
    "batched_matmul_tn": lambda x, w: x.swapaxes(1, 2) @ w,
    "batched_matmul_tt": lambda x, w: x.swapaxes(1, 2) @ w.swapaxes(1, 2),
    "linear": lambda x, w: x @ w.T,
    "linear_bias": lambda x, w, b: x @ w.T + b,
    "int8_matmul": lambda q, w, sx, sw: (q @ w) * sx[:, None] * sw,
    "wrapping_product": lambda a, b: (a * b + a) % 2**32,
    "rope_split": lambda x, base, offset: turned(x, base, offset, formulas.rope_split),
    "rope_interleaved": lambda x, base, offset: turned(x, base, offset, interleaved),
    "scores": lambda q, k, scale: scale * q @ k.swapaxes(-1, -2),
    "attention": attention,
    "causal_attention": formulas.attention,
    "cached_attention": cached_attention,
    "embedding": lambda w, ids: w[ids],
    "embedding_positions": lambda w, pos, ids: w[ids] + pos,
    "tied_head": lambda x, w, b: x @ w.T + b,
    "tied_embedding": lambda w, ids: w[ids] @ w.T,
    "cross_entropy": cross_entropy,
    "cross_entropy_range": cross_entropy,
    "causal_conv1d": formulas.conv,
    "cumulative_sum": lambda x: np.cumsum(x, 1),
    "linear_recurrence": recurrence,
    "selective_scan": formulas.mamba1,
    "ssd": formulas.ssd,
    "lora_linear": lambda x, w, a, b, alpha: x @ w.T + alpha / len(a) * (x @ a.T) @ b.T,
    "lora_merge": lambda w, a, b, alpha: w + alpha / len(a) * b @ a,
    "transpose": lambda x: x.swapaxes(-1, -2),
    "concat": lambda a, b: np.concatenate([a, b], 1),
    "split": lambda x, at: (x[:, :at], x[:, at:]),
    "split_heads": split_heads,
    "merge_heads": lambda x: x.transpose(1, 0, 2).reshape(x.shape[1], -1),
    "gather_rows": lambda x, rows: x[rows],
    "scatter_rows": scattered,
    "gather_columns": lambda x, columns: x[:, columns],
    "scatter_columns": lambda x, columns, count: scattered(x.T, columns, count).T,
    "cache_write": cache_write,
    "adamw": adamw,
    "sgd": lambda p, g, rate: p - rate * g,
    "sgd_momentum": lambda p, g, v, rate, momentum: (p + momentum * v - rate * g, momentum * v - rate * g),
    "clip_by_norm": lambda g, norm, limit: g * min(1, limit / norm),
    "clip_by_squares": lambda g, squares, limit: (g * min(1, limit / np.sqrt(squares.sum())), np.sqrt(squares.sum())),
    "random_bits": random_bits,
    "random_uniform": random_uniform,
    "random_normal": random_normal,
    "random_permutation": lambda **words: np.argsort(random_bits(**words), kind="stable"),
}
