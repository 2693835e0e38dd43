"""Whole numbers and index arithmetic: gathers, segments, ranks, masks, routing, bits."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, Array, animal, softmax

MASK32 = 0xFFFFFFFF


def counted(ids: Array, n: int, w: Array | None = None) -> Array:
    return np.bincount(ids.reshape(-1), None if w is None else w.reshape(-1), minlength=n)


def ranks(x: Array) -> Array:
    return np.argsort(np.argsort(x, -1, kind="stable"), -1, kind="stable")


INDICES: dict[str, Animal] = {
    "one_hot": animal(
        "given ids[t]: i32, classes: i32\ny[t, c < classes] = where(ids[t] == c, 1, 0)",
        lambda ids, classes: np.eye(classes)[ids],
        ids="below 4: n",
        classes=4,
    ),
    "one_hot_product": animal(
        "given ids[t]: i32, w[c, d]\ny[t, d] = sum(c) where(ids[t] == c, w[c, d], 0)",
        lambda ids, w: w[ids],
        ids="below 4: n",
        w="4 3",
    ),
    "histogram": animal(
        "given ids[t]: i32, bins: i32\nh[b < bins] = sum(t) where(ids[t] == b, 1, 0)",
        lambda ids, bins: counted(ids, bins),
        ids="below 5: n",
        bins=5,
    ),
    "bincount_weighted": animal(
        "given ids[t]: i32, w[t], bins: i32\nh[b < bins] = sum(t) where(ids[t] == b, w[t], 0)",
        lambda ids, w, bins: counted(ids, bins, w),
        ids="below 5: n",
        w="n",
        bins=5,
    ),
    "histogram_of_floats": animal(
        """
        given x[t], low, high, bins: i32
        h[b < bins] = sum(t) where(x[t] >= low + b * (high - low) / bins and x[t] < low + (b + 1) * (high - low) / bins, 1.0, 0.0)
        """,
        lambda x, low, high, bins: np.histogram(x, bins, (low, high))[0],
        x="n+3",
        low=-1.0,
        high=1.0,
        bins=4,
    ),
    "embedding_bag": animal(
        """
        given w[v, c], ids[b, l]: i32, length[b]: i32
        s[b, c] = sum(l) where(l <= length[b], w[ids[b, l], c], 0)
        y[b, c] = s[b, c] / (length[b] + 1)
        """,
        lambda w, ids, length: np.stack([w[i[: k + 1]].mean(0) for i, k in zip(ids, length)]),
        w="6 2",
        ids="below 6: n 3",
        length="below 3: n",
    ),
    "masked_mean": animal(
        """
        given x[b, t, c], length[b]: i32
        s[b, c] = sum(t) where(t < length[b], x[b, t, c], 0)
        y[b, c] = s[b, c] / max(f32(length[b]), 1)
        """,
        lambda x, length: np.stack([r[:k].sum(0) / max(k, 1) for r, k in zip(x, length)]),
        x="2 3 n",
        length="below 4: 2",
    ),
    "last_token": animal(
        "given x[b, t, c], length[b]: i32\ny[b, c] = x[b, length[b], c]",
        lambda x, length: x[np.arange(len(x)), length],
        x="2 3 n",
        length="below 3: 2",
    ),
    "segment_sum": animal(
        "given x[t, c], seg[t]: i32, count: i32\ny[s < count, c] = sum(t) where(seg[t] == s, x[t, c], 0)",
        lambda x, seg, count: np.stack([x[seg == s].sum(0) for s in range(count)]),
        x="n 2",
        seg="below 3: n",
        count=3,
    ),
    "segment_softmax": animal(
        """
        given x[t], seg[t]: i32, count: i32
        m[s < count] = max(t) where(seg[t] == s, x[t], -1e30)
        e[t] = exp(x[t] - m[seg[t]])
        z[s < count] = sum(t) where(seg[t] == s, e[t], 0)
        y[t] = e[t] / z[seg[t]]
        """,
        lambda x, seg, count: np.exp(x) / np.bincount(seg, np.exp(x), count)[seg],
        x="n+1",
        seg="below 3: n+1",
        count=3,
    ),
    "graph_messages": animal(
        """
        given x[v, c], src[e]: i32, dst[e]: i32, w[e]
        msg[e, c] = w[e] * x[src[e], c]
        y[v < size(v), c] = sum(e) where(dst[e] == v, msg[e, c], 0)
        """,
        None,
        x="4 2",
        src="below 4: n+2",
        dst="below 4: n+2",
        w="n+2",
    ),
    "sparse_product": animal(
        """
        given val[e], row[e]: i32, col[e]: i32, x[j], rows: i32
        y[i < rows] = sum(e) where(row[e] == i, val[e] * x[col[e]], 0)
        """,
        None,
        val="n+2",
        row="below 3: n+2",
        col="below 4: n+2",
        x="4",
        rows=3,
    ),
    "argmax_then_gather": animal(
        """
        given x[i, j], w[j, c]
        m[i] = max(j) x[i, j]
        best[i] = min(j) where(x[i, j] == m[i], j, size(j))
        y[i, c] = w[best[i], c] * m[i]
        """,
        lambda x, w: w[x.argmax(1)] * x.max(1, keepdims=True),
        x="spread: n 4",
        w="4 2",
    ),
    "take_along_axis": animal(
        "given x[i, j], at[i, k]: i32\ny[i, k] = x[i, at[i, k]]",
        lambda x, at: np.take_along_axis(x, at, 1),
        x="n 4",
        at="below 4: n 3",
    ),
    "gather_rows_and_columns": animal(
        "given x[i, j], r[k]: i32, c[k]: i32\ny[k] = x[r[k], c[k]] ** 2",
        lambda x, r, c: x[r, c] ** 2,
        x="3 4",
        r="below 3: n+1",
        c="below 4: n+1",
    ),
    "gather_of_gather": animal(
        "given w[v, c], codes[u]: i32, ids[t]: i32\ny[t, c] = w[codes[ids[t]], c]",
        lambda w, codes, ids: w[codes[ids]],
        w="3 2",
        codes="below 3: 5",
        ids="below 5: n",
    ),
    "scatter_add": animal(
        "given base[i, c], at[k]: i32, x[k, c]\n"
        "s[i < size(i), c] = sum(k) where(at[k] == i, x[k, c], 0)\ny[i, c] = base[i, c] + s[i, c]",
        lambda base, at, x: base + np.stack([x[at == i].sum(0) for i in range(len(base))]),
        base="4 2",
        at="below 4: n",
        x="n 2",
    ),
    "permute_and_back": animal(
        "given x[i, j], p[i, j]: i32\ny[i, j] = x[i, p[i, j]]\nz[i, k < size(j)] = sum(j) where(p[i, j] == k, y[i, j], 0)",
        lambda x, **_: x,
        x="n 4",
        p="order: n 4",
    ),
    "roll": animal(
        "given x[i, j], k: i32\ny[i, j < size(j)] = x[i, (j + k) % size(j)]",
        lambda x, k: np.roll(x, -k, 1),
        x="n 3",
        k=5,
    ),
    "upper_triangle": animal("y[i, j] = where(j >= i + k, x[i, j], 0)", lambda k, x: np.triu(x, k), k=1, x="n 4"),
    "lower_triangle": animal(
        "given x[b, i, j]\ny[b, i, j] = where(j <= i, x[b, i, j], 0)", lambda x: np.tril(x), x="2 n 4"
    ),
    "banded": animal(
        "given x[i, j], w: i32\ny[i, j] = where(abs(i - j) <= w, x[i, j], 0)",
        lambda x, w: np.tril(np.triu(x, -w), w),
        x="n 4",
        w=1,
    ),
    "checkerboard": animal(
        "y[i, j] = where((i + j) % 2 == 0, x[i, j], -x[i, j])",
        lambda x: x * (1 - 2 * (np.add.outer(np.arange(x.shape[0]), np.arange(x.shape[1])) % 2)),
        x="n 3",
    ),
    "top_one_gate": animal(
        """
        given x[t, c], w[e, c], expert[e, o, c]
        s[t, e] = sum(c) w[e, c] * x[t, c]
        m[t] = max(e) s[t, e]
        z[t] = sum(e) exp(s[t, e] - m[t])
        best[t] = min(e) where(s[t, e] == m[t], e, size(e))
        y[t, o] = sum(c) expert[best[t], o, c] * x[t, c] / z[t]
        """,
        lambda x, w, expert: (
            np.einsum("toc,tc->to", expert[(x @ w.T).argmax(1)], x) * softmax(x @ w.T).max(1, keepdims=True)
        ),
        x="n 3",
        w="4 3",
        expert="4 2 3",
    ),
    "top_two_gate": animal(
        """
        given s[t, e]
        rank[t, e] = sum(f < size(e)) where(s[t, f] > s[t, e] or (s[t, f] == s[t, e] and f < e), 1, 0)
        m[t] = max(e) s[t, e]
        x[t, e] = where(rank[t, e] < 2, exp(s[t, e] - m[t]), 0)
        z[t] = sum(e) x[t, e]
        g[t, e] = x[t, e] / z[t]
        """,
        lambda s: softmax(np.where(ranks(-s) < 2, s, -1e30)),
        s="spread: n 5",
    ),
    "capacity_mask": animal(
        """
        given expert[t]: i32, x[t], experts: i32, capacity: i32
        hit[t, e < experts] = where(expert[t] == e, 1, 0)
        seen[t, e] = scan(t) seen[t - 1, e] + hit[t, e]
        kept[t, e] = where(hit[t, e] == 1 and seen[t, e] <= capacity, 1, 0)
        y[e, k < capacity] = sum(t) where(kept[t, e] == 1 and seen[t, e] == k + 1, x[t], 0)
        """,
        None,
        expert="below 3: n+2",
        x="n+2",
        experts=3,
        capacity=2,
    ),
    "load_balance": animal(
        """
        given s[t, e]
        m[t] = max(e) s[t, e]
        z[t] = sum(e) exp(s[t, e] - m[t])
        p[e] = mean(t) exp(s[t, e] - m[t]) / z[t]
        f[e] = mean(t) where(s[t, e] == m[t], 1, 0)
        loss = sum(e) size(e) * p[e] * stop_gradient(f[e])
        """,
        lambda s: s.shape[1] * (softmax(s).mean(0) * (s == s.max(1, keepdims=True)).mean(0)).sum(),
        s="spread: n+1 3",
    ),
    "sort_by_ranks": animal(
        """
        given x[i, j]
        rank[i, j] = sum(k < size(j)) where(x[i, k] < x[i, j] or (x[i, k] == x[i, j] and k < j), 1, 0)
        y[i, r < size(j)] = sum(j) where(rank[i, j] == r, x[i, j], 0)
        """,
        lambda x: np.sort(x, 1),
        x="spread: n 5",
    ),
    "median": animal(
        """
        given x[j]
        rank[j] = sum(k < size(j)) where(x[k] < x[j] or (x[k] == x[j] and k < j), 1, 0)
        y = sum(j) where(rank[j] == size(j) // 2, x[j], 0)
        """,
        lambda x: np.sort(x)[len(x) // 2],
        x="spread: n+2",
    ),
    "search_sorted": animal(
        "given edges[j], x[i]\nat[i] = sum(j) where(edges[j] <= x[i], 1, 0)",
        lambda edges, x: np.array([(edges <= v).sum() for v in x]),
        edges="spread: 5",
        x="n",
    ),
    "table_interpolation": animal(
        """
        given table[j], x[i]
        p[i] = clamp(x[i], 0, 0.999) * (size(j) - 1)
        low[i] = stop_gradient(i32(floor(p[i])))
        y[i] = table[low[i]] + (p[i] - low[i]) * (table[low[i] + 1] - table[low[i]])
        """.replace("(size(j) - 1)", "4"),
        lambda table, x: np.interp(x * 4, np.arange(5), table),
        table="5",
        x="unit: n",
    ),
    "accuracy": animal(
        """
        given x[t, v], label[t]: i32
        m[t] = max(v) x[t, v]
        best[t] = min(v) where(x[t, v] == m[t], v, size(v))
        acc = mean(t) where(best[t] == label[t], 1.0, 0.0)
        """,
        lambda x, label: (x.argmax(1) == label).mean(),
        x="spread: n 4",
        label="below 4: n",
    ),
    "confusion": animal(
        "given a[t]: i32, b[t]: i32, n: i32\nc[i < n, j < n] = sum(t) where(a[t] == i and b[t] == j, 1, 0)",
        None,
        a="below 3: n+3",
        b="below 3: n+3",
        n=3,
    ),
    "unpack_nibbles": animal(
        "given w[i]: u32, s[i]\ny[i, k < 8] = (f32(bit_and(shift_right(w[i], u32(4 * k)), 15)) - 8) * s[i]",
        lambda w, s: ((w[:, None] >> (4 * np.arange(8)) & 15) - 8.0) * s[:, None],
        w="below 99999: n",
        s="n",
    ),
    "parity": animal(
        "given x[i]: u32\ny[i] = count_one_bits(x[i]) % 2",
        lambda x: np.array([int(v).bit_count() % 2 for v in x]),
        x="below 99999: n",
    ),
    "gray_code": animal(
        "given x[i]: u32\ny[i] = bit_xor(x[i], shift_right(x[i], 1))", lambda x: x ^ (x >> 1), x="below 99999: n"
    ),
    "morton": animal(
        """
        given x[i]: u32, z[i]: u32
        a[i] = bit_and(bit_or(x[i], shift_left(x[i], 4)), 0x0F0F)
        b[i] = bit_and(bit_or(a[i], shift_left(a[i], 2)), 0x3333)
        c[i] = bit_and(bit_or(b[i], shift_left(b[i], 1)), 0x5555)
        d[i] = bit_and(bit_or(z[i], shift_left(z[i], 4)), 0x0F0F)
        e[i] = bit_and(bit_or(d[i], shift_left(d[i], 2)), 0x3333)
        f[i] = bit_and(bit_or(e[i], shift_left(e[i], 1)), 0x5555)
        m[i] = bit_or(c[i], shift_left(f[i], 1))
        """,
        lambda x, z: np.array(
            [sum((a >> k & 1) << 2 * k | (b >> k & 1) << 2 * k + 1 for k in range(8)) for a, b in zip(x, z)]
        ),
        x="below 256: n",
        z="below 256: n",
    ),
    "xorshift": animal(
        """
        given x[i]: u32
        a[i] = bit_xor(x[i], shift_left(x[i], 13))
        b[i] = bit_xor(a[i], shift_right(a[i], 17))
        y[i] = bit_xor(b[i], shift_left(b[i], 5))
        """,
        None,
        x="below 99999: n",
    ),
    "linear_congruential": animal(
        "given seed: u32, n: i32\ns[t < n] = scan(t, start=seed) s[t - 1] * 1664525 + 1013904223",
        lambda seed, n: np.array(
            [
                (seed * pow(1664525, k, 2**32) + 1013904223 * sum(pow(1664525, j, 2**32) for j in range(k))) & MASK32
                for k in range(1, n + 1)
            ]
        ),
        seed=12345,
        n=4,
    ),
    "hash_embedding": animal(
        """
        given w[v, c], ids[t]: u32
        h[t] = shift_right(ids[t] * 2654435761, 16) % u32(size(v))
        y[t, c] = w[h[t], c]
        """,
        lambda w, ids: w[(((ids * 2654435761) & MASK32) >> 16) % len(w)],
        w="5 2",
        ids="below 99999: n",
    ),
    "run_lengths": animal(
        "given x[t]: i32\nstart[t] = where(x[t] != x[t - 1; -1], 1, 0)\nrun[t] = scan(t) run[t - 1] + start[t]",
        lambda x: np.cumsum(np.append(1, x[1:] != x[:-1])),
        x="below 2: n+2",
    ),
    "next_token_mask": animal(
        "given x[t, v], ids[t]: i32, prompt: i32\n"
        "loss = mean(t) where(t + 1 >= prompt and t + 1 < size(t), -x[t, ids[t + 1]; 0], 0)",
        None,
        x="n+2 4",
        ids="below 4: n+2",
        prompt=2,
    ),
    "compact_by_mask": animal(
        """
        given x[t], keep[t]: i32
        at[t] = scan(t) at[t - 1] + keep[t]
        y[k < size(t)] = sum(t) where(keep[t] == 1 and at[t] == k + 1, x[t], 0)
        """,
        lambda x, keep: np.append(x[keep == 1], np.zeros((keep == 0).sum())),
        x="n+2",
        keep="below 2: n+2",
    ),
    "bool_input": animal(
        "given x[i], keep[i]: bool\ny[i] = where(keep[i], x[i] ** 2, 0)",
        lambda x, keep: np.where(keep, x**2, 0),
        x="n",
        keep="below 2: n",
    ),
    "count_true": animal("c = sum(i) x[i] > 0 and x[i] < 1", lambda x: ((x > 0) & (x < 1)).sum(), x="n+3"),
    "index_grid": animal("given x[i, j]\ny[i, j] = x[i, j] * (i - j) + i * size(j) + j", None, x="n 3"),
}
