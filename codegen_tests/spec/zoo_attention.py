"""Variants of attention, and what replaces it."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, Array, animal, sigmoid, softmax, unit

FAR = -1e30


def causal(n: int) -> Array:
    return np.tril(np.ones((n, n), bool))


def masked(q: Array, k: Array, v: Array, mask: Array, scale: float = 1.0, bias: Array = 0.0) -> Array:
    """q[.., t, c], k[.., u, c], v[.., u, d]."""
    s = scale * np.einsum("...tc,...uc->...tu", q, k) + bias
    return softmax(np.where(mask, s, FAR)) @ v


def retained(q: Array, k: Array, v: Array, gamma: Array) -> Array:
    t = q.shape[1]
    away = np.arange(t)[:, None] - np.arange(t)
    decay = np.where(away >= 0, gamma[:, None, None] ** np.maximum(away, 0), 0)
    return (np.einsum("htc,huc->htu", q, k) * decay) @ v


def sliding(n: int, w: int) -> Array:
    away = np.arange(n)[:, None] - np.arange(n)
    return (away >= 0) & (away < w)


SOFTMAX = """
m[t] = max(u) z[t, u]
e[t, u] = exp(z[t, u] - m[t])
l[t] = sum(u) e[t, u]
p[t, u] = e[t, u] / l[t]
"""
HEADS = """
m[h, t] = max(u) z[h, t, u]
e[h, t, u] = exp(z[h, t, u] - m[h, t])
l[h, t] = sum(u) e[h, t, u]
p[h, t, u] = e[h, t, u] / l[h, t]
o[h, t, d] = sum(u) p[h, t, u] * v[h, u, d]
"""
QKV = {"q": "2 n 3", "k": "2 n 3", "v": "2 n 2"}

ATTENTION: dict[str, Animal] = {
    "alibi": animal(
        "given q[h, t, c], k[h, u, c], v[h, u, d], slope[h], scale\n"
        "s[h, t, u] = sum(c) q[h, t, c] * k[h, u, c]\n"
        "z[h, t, u] = where(u <= t, scale * s[h, t, u] - slope[h] * (t - u), -1e30)\n" + HEADS,
        lambda q, k, v, slope, scale: masked(
            q,
            k,
            v,
            causal(q.shape[1]),
            scale,
            -slope[:, None, None] * (np.arange(q.shape[1])[:, None] - np.arange(q.shape[1])),
        ),
        **QKV,
        slope="positive: 2",
        scale=0.5,
    ),
    "sliding_window": animal(
        "given q[h, t, c], k[h, u, c], v[h, u, d], w: i32\n"
        "s[h, t, u] = sum(c) q[h, t, c] * k[h, u, c] / sqrt(size(c))\n"
        "z[h, t, u] = where(u <= t and t - u < w, s[h, t, u], -1e30)\n" + HEADS,
        lambda q, k, v, w: masked(q, k, v, sliding(q.shape[1], w), 1 / np.sqrt(3)),
        **QKV,
        w=2,
    ),
    "window_by_offset": animal(
        """
        given q[t, c], k[t, c], v[t, d], w: i32
        s[t, r < w] = sum(c) q[t, c] * k[t - r, c]
        z[t, r] = where(r <= t, s[t, r], -1e30)
        m[t] = max(r) z[t, r]
        e[t, r] = exp(z[t, r] - m[t])
        l[t] = sum(r) e[t, r]
        o[t, d] = sum(r) e[t, r] / l[t] * v[t - r, d]
        """,
        lambda q, k, v, w: masked(q, k, v, sliding(len(q), w)),
        q="n+1 3",
        k="n+1 3",
        v="n+1 2",
        w=2,
    ),
    "block_local": animal(
        "given q[t, c], k[u, c], v[u, d], block: i32\n"
        "s[t, u] = sum(c) q[t, c] * k[u, c]\nz[t, u] = where(t // block == u // block, s[t, u], -1e30)"
        + SOFTMAX
        + "o[t, d] = sum(u) p[t, u] * v[u, d]",
        lambda q, k, v, block: masked(q, k, v, np.arange(len(q))[:, None] // block == np.arange(len(q)) // block),
        q="n 3",
        k="n 3",
        v="n 2",
        block=2,
    ),
    "linear_attention": animal(
        """
        given q[t, c], k[t, c], v[t, d]
        fq[t, c] = where(q[t, c] > 0, q[t, c] + 1, exp(min(q[t, c], 0)))
        fk[t, c] = where(k[t, c] > 0, k[t, c] + 1, exp(min(k[t, c], 0)))
        s[t, c, d] = scan(t) s[t - 1, c, d] + fk[t, c] * v[t, d]
        z[t, c] = scan(t) z[t - 1, c] + fk[t, c]
        n[t, d] = sum(c) fq[t, c] * s[t, c, d]
        l[t] = sum(c) fq[t, c] * z[t, c]
        y[t, d] = n[t, d] / (l[t] + 1e-6)
        """,
        None,
        q="n 3",
        k="n 3",
        v="n 2",
    ),
    "retention": animal(
        """
        given q[h, t, c], k[h, t, c], v[h, t, d], gamma[h]
        s[h, t, c, d] = scan(t) gamma[h] * s[h, t - 1, c, d] + k[h, t, c] * v[h, t, d]
        o[h, t, d] = sum(c) q[h, t, c] * s[h, t, c, d]
        """,
        retained,
        **QKV,
        gamma="unit: 2",
    ),
    "retention_parallel": animal(
        """
        given q[h, t, c], k[h, u, c], v[h, u, d], gamma[h]
        a[h, t, u] = sum(c) q[h, t, c] * k[h, u, c]
        w[h, t, u] = where(u <= t, a[h, t, u] * gamma[h] ** max(t - u, 0), 0)
        o[h, t, d] = sum(u) w[h, t, u] * v[h, u, d]
        """,
        retained,
        **QKV,
        gamma="unit: 2",
    ),
    "cosine_attention": animal(
        "given q[h, t, c], k[h, u, c], v[h, u, d], tau[h]\n"
        "nq[h, t] = sum(c) q[h, t, c] ** 2\nnk[h, u] = sum(c) k[h, u, c] ** 2\n"
        "s[h, t, u] = sum(c) q[h, t, c] * k[h, u, c]\n"
        "z[h, t, u] = s[h, t, u] * rsqrt(nq[h, t]) * rsqrt(nk[h, u]) / tau[h]\n" + HEADS,
        lambda q, k, v, tau: masked(unit(q) / tau[:, None, None], unit(k), v, True),
        **QKV,
        tau="positive: 2",
    ),
    "cross_attention_lengths": animal(
        "given q[h, t, c], k[h, u, c], v[h, u, d], length[h]: i32\n"
        "s[h, t, u] = sum(c) q[h, t, c] * k[h, u, c]\n"
        "z[h, t, u] = where(u <= length[h], s[h, t, u], -1e30)\n" + HEADS,
        lambda q, k, v, length: masked(q, k, v, np.arange(k.shape[1]) <= length[:, None, None]),
        q="2 n 3",
        k="2 n+2 3",
        v="2 n+2 2",
        length="below 3: 2",
    ),
    "key_padding_mask": animal(
        "given q[h, t, c], k[h, u, c], v[h, u, d], keep[u]: i32\n"
        "s[h, t, u] = sum(c) q[h, t, c] * k[h, u, c]\n"
        "z[h, t, u] = where(keep[u] != 0 or u == 0, s[h, t, u], -1e30)\n" + HEADS,
        lambda q, k, v, keep: masked(q, k, v, (keep != 0) | (np.arange(len(keep)) == 0)),
        **QKV,
        keep="below 2: n",
    ),
    "talking_heads": animal(
        """
        given q[h, t, c], k[h, u, c], v[g, u, d], a[h, g], b[h, g]
        s[h, t, u] = sum(c) q[h, t, c] * k[h, u, c]
        z[g, t, u] = sum(h) a[h, g] * s[h, t, u]
        m[g, t] = max(u) z[g, t, u]
        e[g, t, u] = exp(z[g, t, u] - m[g, t])
        l[g, t] = sum(u) e[g, t, u]
        p[g, t, u] = e[g, t, u] / l[g, t]
        w[g, t, u] = sum(h) b[g, h] * p[h, t, u]
        o[g, t, d] = sum(u) w[g, t, u] * v[g, u, d]
        """,
        lambda q, k, v, a, b: (
            np.einsum("gh,htu->gtu", b, softmax(np.einsum("hg,htu->gtu", a, np.einsum("htc,huc->htu", q, k)))) @ v
        ),
        **QKV,
        a="2 2",
        b="2 2",
    ),
    "relative_bias": animal(
        "given q[h, t, c], k[h, u, c], v[h, u, d], bias[h, r]\n"
        "s[h, t, u] = sum(c) q[h, t, c] * k[h, u, c]\n"
        "z[h, t, u] = s[h, t, u] + bias[h, t - u + size(u) - 1]\n" + HEADS,
        lambda q, k, v, bias: masked(
            q, k, v, True, 1.0, bias[:, np.arange(q.shape[1])[:, None] - np.arange(q.shape[1]) + q.shape[1] - 1]
        ),
        **QKV,
        bias="2 2n",
    ),
    "bucket_bias": animal(
        "given q[t, c], k[u, c], v[u, d], bias[r], bucket[t, u]: i32\n"
        "s[t, u] = sum(c) q[t, c] * k[u, c]\nz[t, u] = s[t, u] + bias[bucket[t, u]]"
        + SOFTMAX
        + "o[t, d] = sum(u) p[t, u] * v[u, d]",
        lambda q, k, v, bias, bucket: masked(q, k, v, True, 1.0, bias[bucket]),
        q="n 3",
        k="n+1 3",
        v="n+1 2",
        bias="4",
        bucket="below 4: n n+1",
    ),
    "multi_query": animal(
        """
        given q[h, t, c], k[u, c], v[u, d]
        s[h, t, u] = sum(c) q[h, t, c] * k[u, c]
        z[h, t, u] = where(u <= t, s[h, t, u] * rsqrt(size(c)), -1e30)
        m[h, t] = max(u) z[h, t, u]
        e[h, t, u] = exp(z[h, t, u] - m[h, t])
        l[h, t] = sum(u) e[h, t, u]
        o[h, t, d] = sum(u) e[h, t, u] * v[u, d] / l[h, t]
        """,
        lambda q, k, v: masked(q, k, v, causal(len(k)), 1 / np.sqrt(3)),
        q="3 n 3",
        k="n 3",
        v="n 2",
    ),
    "attention_sink": animal(
        """
        given q[h, t, c], k[h, u, c], v[h, u, d], sink[h]
        z[h, t, u] = sum(c) q[h, t, c] * k[h, u, c]
        top[h, t] = max(u) z[h, t, u]
        m[h, t] = max(top[h, t], sink[h])
        e[h, t, u] = exp(z[h, t, u] - m[h, t])
        l[h, t] = sum(u) e[h, t, u]
        o[h, t, d] = sum(u) e[h, t, u] / (l[h, t] + exp(sink[h] - m[h, t])) * v[h, u, d]
        """,
        lambda q, k, v, sink: (
            (
                np.exp(q @ k.transpose(0, 2, 1))
                / (np.exp(q @ k.transpose(0, 2, 1)).sum(-1, keepdims=True) + np.exp(sink)[:, None, None])
            )
            @ v
        ),
        **QKV,
        sink="2",
    ),
    "soft_capped": animal(
        "given q[h, t, c], k[h, u, c], v[h, u, d], cap\n"
        "s[h, t, u] = sum(c) q[h, t, c] * k[h, u, c]\n"
        "z[h, t, u] = where(u <= t, cap * tanh(s[h, t, u] / cap), -1e30)\n" + HEADS,
        lambda q, k, v, cap: (
            softmax(np.where(causal(q.shape[1]), cap * np.tanh(q @ k.transpose(0, 2, 1) / cap), FAR)) @ v
        ),
        **QKV,
        cap=3.0,
    ),
    "differential": animal(
        """
        given q1[t, c], k1[u, c], q2[t, c], k2[u, c], v[u, d], lam
        s1[t, u] = sum(c) q1[t, c] * k1[u, c]
        m1[t] = max(u) s1[t, u]
        l1[t] = sum(u) exp(s1[t, u] - m1[t])
        s2[t, u] = sum(c) q2[t, c] * k2[u, c]
        m2[t] = max(u) s2[t, u]
        l2[t] = sum(u) exp(s2[t, u] - m2[t])
        a[t, u] = exp(s1[t, u] - m1[t]) / l1[t] - lam * exp(s2[t, u] - m2[t]) / l2[t]
        o[t, d] = sum(u) a[t, u] * v[u, d]
        """,
        lambda q1, k1, q2, k2, v, lam: (softmax(q1 @ k1.T) - lam * softmax(q2 @ k2.T)) @ v,
        q1="n 3",
        k1="n+1 3",
        q2="n 3",
        k2="n+1 3",
        v="n+1 2",
        lam=0.4,
    ),
    "sigmoid_attention": animal(
        """
        given q[t, c], k[u, c], v[u, d], b
        s[t, u] = sum(c) q[t, c] * k[u, c]
        o[t, d] = sum(u) sigmoid(s[t, u] + b) * v[u, d]
        """,
        lambda q, k, v, b: sigmoid(q @ k.T + b) @ v,
        q="n 3",
        k="n+1 3",
        v="n+1 2",
        b=-0.5,
    ),
    "gated_attention": animal(
        "given q[h, t, c], k[h, u, c], v[h, u, d], g[h, t, d]\nz[h, t, u] = sum(c) q[h, t, c] * k[h, u, c]\n"
        + HEADS
        + "y[h, t, d] = o[h, t, d] * sigmoid(g[h, t, d])",
        lambda q, k, v, g: masked(q, k, v, True) * sigmoid(g),
        **QKV,
        g="2 n 2",
    ),
    "prefix_lm": animal(
        "given q[h, t, c], k[h, u, c], v[h, u, d], prefix: i32\n"
        "s[h, t, u] = sum(c) q[h, t, c] * k[h, u, c]\n"
        "z[h, t, u] = where(u <= t or u < prefix, s[h, t, u], -1e30)\n" + HEADS,
        lambda q, k, v, prefix: masked(q, k, v, causal(q.shape[1]) | (np.arange(q.shape[1]) < prefix)[None, None]),
        **QKV,
        prefix=2,
    ),
    "packed_segments": animal(
        "given q[t, c], k[u, c], v[u, d], seg[t]: i32\n"
        "s[t, u] = sum(c) q[t, c] * k[u, c]\nz[t, u] = where(seg[t] == seg[u] and u <= t, s[t, u], -1e30)"
        + SOFTMAX
        + "o[t, d] = sum(u) p[t, u] * v[u, d]",
        lambda q, k, v, seg: masked(q, k, v, causal(len(q)) & (seg[:, None] == seg)),
        q="n 3",
        k="n 3",
        v="n 2",
        seg="below 2: n",
    ),
    "attention_pooling": animal(
        """
        z[b, t] = sum(c) w[c] * tanh(x[b, t, c])
        m[b] = max(t) z[b, t]
        e[b, t] = exp(z[b, t] - m[b])
        l[b] = sum(t) e[b, t]
        y[b, c] = sum(t) e[b, t] / l[b] * x[b, t, c]
        """,
        lambda w, x: np.einsum("bt,btc->bc", softmax(np.tanh(x) @ w), x),
        w="3",
        x="2 n 3",
    ),
    "additive_attention": animal(
        """
        a[t, h] = sum(c) wq[h, c] * q[t, c]
        b[u, h] = sum(c) wk[h, c] * k[u, c]
        z[t, u] = sum(h) w[h] * tanh(a[t, h] + b[u, h])
        m[t] = max(u) z[t, u]
        e[t, u] = exp(z[t, u] - m[t])
        l[t] = sum(u) e[t, u]
        y[t, c] = sum(u) e[t, u] / l[t] * k[u, c]
        """,
        lambda wq, q, wk, k, w: softmax(np.tanh((q @ wq.T)[:, None] + k @ wk.T) @ w) @ k,
        wq="4 3",
        q="n 3",
        wk="4 3",
        k="n+1 3",
        w="4",
    ),
    "token_shift": animal(
        "given x[b, t, c], mix[c]\ny[b, t, c] = x[b, t, c] * mix[c] + x[b, t - 1, c] * (1 - mix[c])",
        lambda x, mix: x * mix + np.pad(x, ((0, 0), (1, 0), (0, 0)))[:, :-1] * (1 - mix),
        x="2 n 3",
        mix="unit: 3",
    ),
    "rwkv": animal(
        """
        given w[c], u[c], k[t, c], v[t, c]
        a[t, c] = scan(t) exp(-w[c]) * a[t - 1, c] + exp(k[t, c]) * v[t, c]
        b[t, c] = scan(t) exp(-w[c]) * b[t - 1, c] + exp(k[t, c])
        y[t, c] = (a[t - 1, c] + exp(u[c] + k[t, c]) * v[t, c]) / (b[t - 1, c] + exp(u[c] + k[t, c]))
        """,
        None,
        w="positive: 2",
        u="2",
        k="n 2",
        v="n 2",
    ),
    "grouped_query_rotated": animal(
        """
        given q[h, t, c], k[g, u, c], v[g, u, d], base
        angle[t < size(t), i < size(c) // 2] = t * base ** (-2 * i / size(c))
        qr[h, t, c < size(c)] = where(c < size(c) // 2,
            q[h, t, c] * cos(angle[t, c]) - q[h, t, c + size(c) // 2] * sin(angle[t, c]),
            q[h, t, c] * cos(angle[t, c - size(c) // 2]) + q[h, t, c - size(c) // 2] * sin(angle[t, c - size(c) // 2]))
        kr[g, u, c < size(c)] = where(c < size(c) // 2,
            k[g, u, c] * cos(angle[u, c]) - k[g, u, c + size(c) // 2] * sin(angle[u, c]),
            k[g, u, c] * cos(angle[u, c - size(c) // 2]) + k[g, u, c - size(c) // 2] * sin(angle[u, c - size(c) // 2]))
        s[h, t, u] = sum(c) qr[h, t, c] * kr[h // (size(h) // size(g)), u, c]
        z[h, t, u] = where(u <= t, s[h, t, u] / sqrt(size(c)), -1e30)
        m[h, t] = max(u) z[h, t, u]
        e[h, t, u] = exp(z[h, t, u] - m[h, t])
        l[h, t] = sum(u) e[h, t, u]
        p[h, t, u] = e[h, t, u] / l[h, t]
        o[h, t, d] = sum(u) p[h, t, u] * v[h // (size(h) // size(g)), u, d]
        """,
        None,
        q="4 n 4",
        k="2 n 4",
        v="2 n 3",
        base=100.0,
    ),
}
