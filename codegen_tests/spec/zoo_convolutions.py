"""Convolutions, pools, resampling and rearrangements of images and sequences."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, Array, animal


def convolved(x: Array, w: Array, stride: int = 1, dilation: int = 1, pad: int = 0) -> Array:
    """x[b, c, h, w] with w[o, c, kh, kw], by loops."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    kh, kw = w.shape[2:]
    rows = (x.shape[2] - dilation * (kh - 1) - 1) // stride + 1
    columns = (x.shape[3] - dilation * (kw - 1) - 1) // stride + 1
    y = np.zeros((len(x), len(w), rows, columns))
    for i in range(rows):
        for j in range(columns):
            top, left = i * stride, j * stride
            patch = x[:, :, top : top + dilation * kh : dilation, left : left + dilation * kw : dilation]
            y[:, :, i, j] = np.einsum("bchw,ochw->bo", patch[:, :, :kh, :kw], w)
    return y


def windows(x: Array, size: int, stride: int) -> Array:
    """All windows of the last axis."""
    return np.lib.stride_tricks.sliding_window_view(x, size, -1)[..., ::stride, :]


def transposed(x: Array, w: Array, stride: int) -> Array:
    y = np.zeros((len(x), w.shape[1], (x.shape[2] - 1) * stride + w.shape[2]))
    for t in range(x.shape[2]):
        y[:, :, t * stride : t * stride + w.shape[2]] += np.einsum("bc,cok->bok", x[:, :, t], w)
    return y


CONVOLUTIONS: dict[str, Animal] = {
    "conv1d_valid": animal(
        "given x[b, c, s], w[o, c, k]\ny[b, o, t < size(s) - size(k) + 1] = sum(c, k) x[b, c, t + k] * w[o, c, k]",
        lambda x, w: np.einsum("bctk,ock->bot", windows(x, w.shape[2], 1), w),
        x="2 3 n+3",
        w="2 3 3",
    ),
    "conv1d_stride": animal(
        """
        given x[b, c, s], w[o, c, k], bias[o]
        p[b, o, t < (size(s) - size(k)) // 2 + 1] = sum(c, k) x[b, c, 2 * t + k] * w[o, c, k]
        y[b, o, t] = p[b, o, t] + bias[o]
        """,
        lambda x, w, bias: np.einsum("bctk,ock->bot", windows(x, w.shape[2], 2), w) + bias[:, None],
        x="2 3 2n+3",
        w="2 3 3",
        bias="2",
    ),
    "conv2d_same": animal(
        "y[b, o, i, j] = sum(c, u, v) x[b, c, i + u - 1, j + v - 1] * w[o, c, u, v]",
        lambda x, w: convolved(x, w, pad=1),
        x="2 2 n 3",
        w="3 2 3 3",
    ),
    "conv2d_stride": animal(
        """
        given x[b, c, h, l], w[o, c, u, v], stride: i32
        y[b, o, i < (size(h) - size(u)) // stride + 1, j < (size(l) - size(v)) // stride + 1] = sum(
            c, u, v) x[b, c, i * stride + u, j * stride + v] * w[o, c, u, v]
        """,
        lambda x, w, stride: convolved(x, w, stride),
        x="1 2 n+3 5",
        w="2 2 2 3",
        stride=2,
    ),
    "conv2d_dilated": animal(
        """
        given x[b, c, h, l], w[o, c, u, v]
        y[b, o, i < size(h) - 2 * (size(u) - 1), j < size(l) - 2 * (size(v) - 1)] = sum(c, u, v) (
            x[b, c, i + 2 * u, j + 2 * v] * w[o, c, u, v])
        """,
        lambda x, w: convolved(x, w, dilation=2),
        x="1 2 n+4 5",
        w="2 2 2 3",
    ),
    "conv3d": animal(
        """
        given x[b, c, d, h, l], w[o, c, r, s, t]
        y[b, o, d, h, l] = sum(c, r, s, t) x[b, c, d + r - 1, h + s, l + t - 1] * w[o, c, r, s, t]
        """,
        None,
        x="1 2 n 2 3",
        w="2 2 3 1 2",
    ),
    "conv_transpose1d": animal(
        """
        given x[b, c, s], w[c, o, k]
        y[b, o, t < (size(s) - 1) * 2 + size(k)] = sum(c, k) where((t - k) % 2 == 0, x[b, c, (t - k) // 2] * w[c, o, k], 0)
        """,
        lambda x, w: transposed(x, w, 2),
        x="2 2 n",
        w="2 3 3",
    ),
    "conv_transpose_by_scatter": animal(
        """
        given x[b, c, s], w[c, o, k], stride: i32
        y[b, o, t < (size(s) - 1) * stride + size(k)] = sum(c, s, k) where(t == s * stride + k, x[b, c, s] * w[c, o, k], 0)
        """,
        lambda x, w, stride: transposed(x, w, stride),
        x="2 2 n",
        w="2 3 2",
        stride=3,
    ),
    "depthwise2d": animal(
        "y[b, c, i, j] = sum(u, v) x[b, c, i + u - 1, j + v - 1] * w[c, u, v]",
        lambda x, w: np.concatenate([convolved(x[:, [c]], w[None, [c]], pad=1) for c in range(len(w))], 1),
        x="2 3 n 2",
        w="3 3 3",
    ),
    "pointwise": animal(
        "y[b, o, h, w] = sum(c) x[b, c, h, w] * k[o, c]",
        lambda x, k: np.einsum("bchw,oc->bohw", x, k),
        x="2 3 n 2",
        k="4 3",
    ),
    "grouped_conv": animal(
        """
        given x[b, c, s], w[o, q, k]
        y[b, o, t < size(s) - size(k) + 1] = sum(q, k) x[b, o // (size(o) * size(q) // size(c)) * size(q) + q, t + k] * w[o, q, k]
        """,
        lambda x, w: np.concatenate(
            [
                np.einsum("bctk,ock->bot", windows(x[:, g * 2 : g * 2 + 2], 2, 1), w[g * 3 : g * 3 + 3])
                for g in range(2)
            ],
            1,
        ),
        x="2 4 n+2",
        w="6 2 2",
    ),
    "separable_blur": animal(
        """
        given x[h, w], g[k]
        a[h, w] = sum(k) x[h + k - size(k) // 2, w] * g[k]
        y[h, w] = sum(k) a[h, w + k - size(k) // 2] * g[k]
        """,
        lambda x, g: convolved(x[None, None], np.outer(g, g)[None, None], pad=1)[0, 0],
        x="n 4",
        g="3",
    ),
    "causal_dilated": animal(
        "given x[b, t, c], w[o, c, k], dilation: i32\ny[b, t, o] = sum(c, k) x[b, t - k * dilation, c] * w[o, c, k]",
        None,
        x="2 n+3 2",
        w="3 2 3",
        dilation=2,
    ),
    "unfold": animal(
        """
        given x[b, c, s], k: i32
        y[b, c, t < size(s) - k + 1, d < k] = x[b, c, t + d]
        """,
        lambda x, k: windows(x, k, 1),
        x="2 3 n+2",
        k=3,
    ),
    "pad_value": animal(
        "given x[i, j], p: i32, value\ny[i < size(i) + 2 * p, j < size(j) + 2 * p] = x[i - p, j - p; value]",
        lambda x, p, value: np.pad(x, p, constant_values=value),
        x="n 3",
        p=2,
        value=-1.5,
    ),
    "average_pool": animal(
        "given x[b, h, w]\ny[b, i < size(h) // 2, j < size(w) // 2] = mean(u < 2, v < 2) x[b, 2 * i + u, 2 * j + v]",
        lambda x: x.reshape(2, x.shape[1] // 2, 2, 2, 2).mean((2, 4)),
        x="2 2n 4",
    ),
    "max_pool": animal(
        "given x[b, h, w]\ny[b, i < size(h) // 2, j < size(w) // 2] = max(u < 2, v < 2) x[b, 2 * i + u, 2 * j + v]",
        lambda x: x.reshape(2, x.shape[1] // 2, 2, 2, 2).max((2, 4)),
        x="spread: 2 2n 4",
    ),
    "max_pool_overlapping": animal(
        "given x[b, s]\ny[b, t < (size(s) - 1) // 2 + 1] = max(k < 3) x[b, 2 * t + k - 1; -1e30]",
        lambda x: windows(np.pad(x, ((0, 0), (1, 1)), constant_values=-1e30), 3, 2).max(-1),
        x="spread: 2 n+2",
    ),
    "lp_pool": animal(
        "given x[b, s], p\nq[b, t < size(s) // 2] = sum(k < 2) abs(x[b, 2 * t + k]) ** p\ny[b, t] = q[b, t] ** (1 / p)",
        lambda x, p: (np.abs(windows(x, 2, 2)) ** p).sum(-1) ** (1 / p),
        x="2 2n",
        p=2.5,
    ),
    "global_average": animal("y[b, c] = mean(h, w) x[b, c, h, w]", lambda x: x.mean((2, 3)), x="2 3 n 2"),
    "soft_pool": animal(
        """
        given x[b, s]
        s2[b, t < size(s) // 2] = sum(k < 2) exp(x[b, 2 * t + k])
        y[b, t] = sum(k < 2) exp(x[b, 2 * t + k]) / s2[b, t] * x[b, 2 * t + k]
        """,
        lambda x: (np.exp(windows(x, 2, 2)) * windows(x, 2, 2)).sum(-1) / np.exp(windows(x, 2, 2)).sum(-1),
        x="2 2n",
    ),
    "nearest_upsampling": animal(
        "given x[b, h, w], s: i32\ny[b, i < size(h) * s, j < size(w) * s] = x[b, i // s, j // s]",
        lambda x, s: x.repeat(s, 1).repeat(s, 2),
        x="2 n 3",
        s=2,
    ),
    "linear_upsampling": animal(
        """
        given x[b, s]
        y[b, t < 2 * size(s)] = where(t % 2 == 0,
            0.75 * x[b, t // 2] + 0.25 * x[b, max(t // 2 - 1, 0)],
            0.75 * x[b, t // 2] + 0.25 * x[b, min(t // 2 + 1, size(s) - 1)])
        """,
        None,
        x="2 n",
    ),
    "bilinear_resize": animal(
        """
        given x[h, w], rows: i32, columns: i32
        py[i < rows] = max((i + 0.5) * size(h) / rows - 0.5, 0)
        px[j < columns] = max((j + 0.5) * size(w) / columns - 0.5, 0)
        iy[i] = i32(floor(py[i]))
        ix[j] = i32(floor(px[j]))
        fy[i] = py[i] - floor(py[i])
        fx[j] = px[j] - floor(px[j])
        top[i, j] = x[iy[i], ix[j]] * (1 - fx[j]) + x[iy[i], min(ix[j] + 1, size(w) - 1)] * fx[j]
        low[i, j] = x[min(iy[i] + 1, size(h) - 1), ix[j]] * (1 - fx[j]) + x[min(iy[i] + 1, size(h) - 1), min(ix[j] + 1, size(w) - 1)] * fx[j]
        y[i, j] = top[i, j] * (1 - fy[i]) + low[i, j] * fy[i]
        """,
        None,
        x="n+1 3",
        rows=5,
        columns=4,
    ),
    "grid_sample_1d": animal(
        """
        given x[c, s], p[t]
        at[t] = i32(stop_gradient(floor(p[t])))
        f[t] = p[t] - stop_gradient(floor(p[t]))
        y[c, t] = x[c, at[t]; 0] * (1 - f[t]) + x[c, at[t] + 1; 0] * f[t]
        """,
        None,
        x="2 n+2",
        p="n",
    ),
    "pixel_shuffle": animal(
        """
        given x[b, c, h, w], r: i32
        y[b, o < size(c) // (r * r), i < size(h) * r, j < size(w) * r] = x[b, o * r * r + i % r * r + j % r, i // r, j // r]
        """,
        lambda x, r: (
            x.reshape(2, -1, r, r, *x.shape[2:])
            .transpose(0, 1, 4, 2, 5, 3)
            .reshape(2, -1, x.shape[2] * r, x.shape[3] * r)
        ),
        x="2 8 n 3",
        r=2,
    ),
    "space_to_depth": animal(
        """
        given x[b, h, w, c]
        y[b, i < size(h) // 2, j < size(w) // 2, d < 4 * size(c)] = x[b, 2 * i + d // (2 * size(c)), 2 * j + d // size(c) % 2, d % size(c)]
        """,
        lambda x: (
            x.reshape(1, x.shape[1] // 2, 2, 2, 2, 3).transpose(0, 1, 3, 2, 4, 5).reshape(1, x.shape[1] // 2, 2, 12)
        ),
        x="1 2n 4 3",
    ),
    "patch_embed": animal(
        """
        given x[b, c, h, w], k[o, c, u, v], bias[o]
        p[b, i < size(h) // size(u), j < size(w) // size(v), o] = sum(c, u, v) x[b, c, i * size(u) + u, j * size(v) + v] * k[o, c, u, v]
        y[b, t < size(h) // size(u) * (size(w) // size(v)), o] = p[b, t // (size(w) // size(v)), t % (size(w) // size(v)), o] + bias[o]
        """,
        lambda x, k, bias: convolved(x, k, 2).reshape(1, 3, -1).transpose(0, 2, 1) + bias,
        x="1 2 2n 4",
        k="3 2 2 2",
        bias="3",
    ),
    "reflection_pad": animal(
        "given x[b, s]\ny[b, t < size(s) + 4] = x[b, size(s) - 1 - abs(size(s) - 1 - abs(t - 2))]",
        lambda x: np.pad(x, ((0, 0), (2, 2)), mode="reflect"),
        x="2 n+3",
    ),
    "edge_pad": animal(
        "given x[s], p: i32\ny[t < size(s) + 2 * p] = x[clamp(t - p, 0, size(s) - 1)]",
        lambda x, p: np.pad(x, p, mode="edge"),
        x="n",
        p=2,
    ),
    "circular_shift": animal(
        "given x[b, t], k: i32\ny[b, t < size(t)] = x[b, (t - k) % size(t)]",
        lambda x, k: np.roll(x, k, 1),
        x="2 n+1",
        k=-3,
    ),
    "circular_conv": animal(
        "given w[k], x[b, t]\ny[b, t < size(t)] = sum(k) w[k] * x[b, (t - k) % size(t)]",
        lambda w, x: sum(w[k] * np.roll(x, k, 1) for k in range(3)),
        w="3",
        x="2 n+1",
    ),
    "flip": animal("given x[b, t]\ny[b, t < size(t)] = x[b, size(t) - 1 - t]", lambda x: x[:, ::-1], x="2 n"),
    "flip_both": animal(
        "y[i, j] = x[size(i) - 1 - i, size(j) - 1 - j] * w[i, j]",
        lambda x, w: x[::-1, ::-1] * w,
        x="n 3",
        w="n 3",
    ),
    "rotate_90": animal(
        "given x[h, w]\ny[i < size(w), j < size(h)] = x[j, size(w) - 1 - i]", lambda x: np.rot90(x), x="n 3"
    ),
    "stack_frames": animal(
        "given x[t, c], k: i32\ny[t, d < k * size(c)] = x[t - d // size(c), d % size(c)]", None, x="n+1 2", k=3
    ),
    "interleave": animal(
        "given a[i], b[i]\ny[k < 2 * size(i)] = where(k % 2 == 0, a[k // 2], b[k // 2])",
        lambda a, b: np.stack([a, b], 1).reshape(-1),
        a="n",
        b="n",
    ),
    "every_second": animal("given x[s]\ny[t < (size(s) + 1) // 2] = x[2 * t] ** 2", lambda x: x[::2] ** 2, x="n"),
    "reversed_stride": animal(
        "given x[s]\ny[t < size(s) // 2] = x[size(s) - 1 - 2 * t]", lambda x: x[::-1][: 2 * (len(x) // 2) : 2], x="n+1"
    ),
    "sobel": animal(
        """
        gx[i, j] = x[i - 1, j + 1] + 2 * x[i, j + 1] + x[i + 1, j + 1] - x[i - 1, j - 1] - 2 * x[i, j - 1] - x[i + 1, j - 1]
        gy[i, j] = x[i + 1, j - 1] + 2 * x[i + 1, j] + x[i + 1, j + 1] - x[i - 1, j - 1] - 2 * x[i - 1, j] - x[i - 1, j + 1]
        y[i, j] = sqrt(gx[i, j] ** 2 + gy[i, j] ** 2 + 1e-3)
        """,
        None,
        x="n 4",
    ),
    "total_variation": animal(
        """
        y = sum(i, j) where(i + 1 < size(i), abs(x[i + 1, j] - x[i, j]), 0) + where(j + 1 < size(j), abs(x[i, j + 1] - x[i, j]), 0)
        """,
        lambda x: np.abs(np.diff(x, axis=0)).sum() + np.abs(np.diff(x, axis=1)).sum(),
        x="n 3",
    ),
    "correlation_volume": animal(
        "given a[c, t], b[c, t]\ny[t, d < 5] = mean(c) a[c, t] * b[c, t + d - 2]", None, a="3 n", b="3 n"
    ),
}
