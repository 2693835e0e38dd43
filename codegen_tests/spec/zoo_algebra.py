"""Linear algebra, distances, kernels, transforms."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, Array, animal, logsumexp, sigmoid, softmax


def distances(x: Array, y: Array) -> Array:
    return ((x[:, None] - y) ** 2).sum(-1)


def tridiagonal(n: int) -> Array:
    return 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)


ALGEBRA: dict[str, Animal] = {
    "bilinear_form": animal("s = sum(i, j) x[i] * w[i, j] * y[j]", lambda x, w, y: x @ w @ y, x="n", w="n 3", y="3"),
    "bilinear_layer": animal(
        "y[b, o] = sum(i, j) x[b, i] * w[o, i, j] * z[b, j]",
        lambda x, w, z: np.einsum("bi,oij,bj->bo", x, w, z),
        x="2 n",
        w="3 n 2",
        z="2 2",
    ),
    "trace": animal("t = sum(i) a[i, i]", lambda a: np.trace(a), a="n n"),
    "batched_trace": animal(
        "t[b] = sum(i) a[b, i, i] ** 2", lambda a: (np.einsum("bii->bi", a) ** 2).sum(1), a="2 n n"
    ),
    "diagonal": animal("d[i] = a[i, i]", lambda a: np.diag(a), a="n n"),
    "diagonal_matrix": animal("given d[i]\na[i, j < size(i)] = where(i == j, d[i], 0)", lambda d: np.diag(d), d="n"),
    "outer": animal("a[i, j] = x[i] * y[j]", lambda x, y: np.outer(x, y), x="n", y="3"),
    "outer_of_itself": animal("a[i, j] = x[i] * x[j]", lambda x: np.outer(x, x), x="n"),
    "kronecker": animal(
        """
        given a[i, j], b[p, q]
        k[r < size(i) * size(p), s < size(j) * size(q)] = a[r // size(p), s // size(q)] * b[r % size(p), s % size(q)]
        """,
        lambda a, b: np.kron(a, b),
        a="n 2",
        b="3 2",
    ),
    "rank_five": animal(
        "y[a, b, c, d, e] = sum(i, j) u[a, b, i, j] * v[i, c, d, j, e]",
        lambda u, v: np.einsum("abij,icdje->abcde", u, v),
        u="n 2 2 3",
        v="2 1 2 3 2",
    ),
    "tucker": animal(
        "y[i, j, k] = sum(a, b, c) g[a, b, c] * u[i, a] * v[j, b] * w[k, c]",
        lambda g, u, v, w: np.einsum("abc,ia,jb,kc->ijk", g, u, v, w),
        g="2 2 2",
        u="n 2",
        v="3 2",
        w="2 2",
    ),
    "canonical_polyadic": animal(
        "y[i, j, k] = sum(r) u[i, r] * v[j, r] * w[k, r] * s[r]",
        lambda u, v, w, s: np.einsum("ir,jr,kr,r->ijk", u, v, w, s),
        u="n 2",
        v="3 2",
        w="2 2",
        s="2",
    ),
    "low_rank": animal(
        "h[t, r] = sum(i) x[t, i] * a[i, r]\ny[t, o] = sum(r) h[t, r] * b[r, o]",
        lambda x, a, b: x @ a @ b,
        x="n 4",
        a="4 2",
        b="2 3",
    ),
    "gram": animal("g[i, j] = sum(k) x[k, i] * x[k, j]", lambda x: x.T @ x, x="n 3"),
    "mahalanobis": animal(
        """
        d[t, i] = x[t, i] - mu[i]
        q[t] = sum(i, j) d[t, i] * p[i, j] * d[t, j]
        """,
        lambda x, mu, p: np.einsum("ti,ij,tj->t", x - mu, p, x - mu),
        x="n 3",
        mu="3",
        p="3 3",
    ),
    "pairwise_distances": animal("d[i, j] = sum(c) (x[i, c] - y[j, c]) ** 2", distances, x="n 3", y="n+1 3"),
    "pairwise_by_products": animal(
        """
        xx[i] = sum(c) x[i, c] ** 2
        yy[j] = sum(c) y[j, c] ** 2
        xy[i, j] = sum(c) x[i, c] * y[j, c]
        d[i, j] = max(xx[i] + yy[j] - 2 * xy[i, j], 0)
        """,
        distances,
        x="n 3",
        y="n+1 3",
    ),
    "rbf_kernel": animal(
        """
        given x[i, c], y[j, c], gamma
        d[i, j] = sum(c) (x[i, c] - y[j, c]) ** 2
        k[i, j] = exp(-gamma * d[i, j])
        """,
        lambda x, y, gamma: np.exp(-gamma * distances(x, y)),
        x="n 3",
        y="n+1 3",
        gamma=0.4,
    ),
    "kernel_of_itself": animal(
        "d[i, j] = sum(c) (x[i, c] - x[j, c]) ** 2\nk[i, j] = 1 / (1 + d[i, j])",
        lambda x: 1 / (1 + distances(x, x)),
        x="n 3",
    ),
    "polynomial_kernel": animal(
        "g[i, j] = sum(c) x[i, c] * y[j, c]\nk[i, j] = (g[i, j] + 1) ** 3",
        lambda x, y: (x @ y.T + 1) ** 3,
        x="n 3",
        y="2 3",
    ),
    "laplacian_kernel": animal(
        "d[i, j] = sum(c) abs(x[i, c] - y[j, c])\nk[i, j] = exp(-d[i, j])",
        lambda x, y: np.exp(-np.abs(x[:, None] - y).sum(-1)),
        x="n 3",
        y="2 3",
    ),
    "frobenius": animal("q = sum(i, j) a[i, j] ** 2\nf = sqrt(q)", lambda a: np.linalg.norm(a), a="n 3"),
    "determinant_2": animal(
        "d[b] = a[b, 0, 0] * a[b, 1, 1] - a[b, 0, 1] * a[b, 1, 0]", lambda a: np.linalg.det(a), a="n 2 2"
    ),
    "determinant_3": animal(
        """
        d[b] = (a[b, 0, 0] * (a[b, 1, 1] * a[b, 2, 2] - a[b, 1, 2] * a[b, 2, 1])
              - a[b, 0, 1] * (a[b, 1, 0] * a[b, 2, 2] - a[b, 1, 2] * a[b, 2, 0])
              + a[b, 0, 2] * (a[b, 1, 0] * a[b, 2, 1] - a[b, 1, 1] * a[b, 2, 0]))
        """,
        lambda a: np.linalg.det(a),
        a="n 3 3",
    ),
    "inverse_2": animal(
        """
        given a[b, i, j]
        d[b] = a[b, 0, 0] * a[b, 1, 1] - a[b, 0, 1] * a[b, 1, 0]
        y[b, i < 2, j < 2] = where(i == j, a[b, 1 - i, 1 - j], -a[b, i, j]) / (d[b] + 5)
        """,
        None,
        a="n 2 2",
    ),
    "cross_product": animal(
        "given a[n, i], b[n, i]\n"
        "c[n, i < 3] = a[n, (i + 1) % 3] * b[n, (i + 2) % 3] - a[n, (i + 2) % 3] * b[n, (i + 1) % 3]",
        lambda a, b: np.cross(a, b),
        a="n 3",
        b="n 3",
    ),
    "matrix_square": animal("b[i, j] = sum(k) a[i, k] * a[k, j]", lambda a: a @ a, a="n n"),
    "matrix_cube_trace": animal("t = sum(i, j, k) a[i, j] * a[j, k] * a[k, i]", lambda a: np.trace(a @ a @ a), a="n n"),
    "commutator": animal(
        "ab[i, j] = sum(k) a[i, k] * b[k, j]\nba[i, j] = sum(k) b[i, k] * a[k, j]\nc[i, j] = ab[i, j] - ba[i, j]",
        lambda a, b: a @ b - b @ a,
        a="n n",
        b="n n",
    ),
    "rayleigh": animal(
        "top = sum(i, j) x[i] * a[i, j] * x[j]\nlow = sum(i) x[i] ** 2\nr = top / low",
        lambda x, a: x @ a @ x / (x @ x),
        x="n",
        a="n n",
    ),
    "householder": animal(
        "n = sum(i) v[i] ** 2\nd[j] = sum(i) v[i] * a[i, j]\nb[i, j] = a[i, j] - 2 * v[i] * d[j] / n",
        lambda v, a: a - 2 * np.outer(v, v @ a) / (v @ v),
        v="n",
        a="n 2",
    ),
    "givens": animal(
        """
        given x[i, c], theta, p: i32, q: i32
        y[i, c] = where(i == p, cos(theta) * x[p, c] - sin(theta) * x[q, c],
                  where(i == q, sin(theta) * x[p, c] + cos(theta) * x[q, c], x[i, c]))
        """,
        None,
        x="n+1 2",
        theta=0.7,
        p=0,
        q=1,
    ),
    "toeplitz": animal(
        "given h[k], x[t]\ny[t] = sum(s) h[t - s] * x[s]\n".replace("h[t - s] * x[s]", "h[t - s] * x[s]"),
        lambda h, x: np.convolve(h, x)[: len(x)],
        h="n",
        x="n",
    ),
    "circulant": animal(
        "given c[i], x[j]\ny[i < size(j)] = sum(j) c[(i - j) % size(j)] * x[j]",
        lambda c, x: np.real(np.fft.ifft(np.fft.fft(c) * np.fft.fft(x))),
        c="n",
        x="n",
    ),
    "hankel": animal("given h[k]\na[i < (size(k) + 1) // 2, j < size(k) // 2] = h[i + j]", None, h="n+2"),
    "khatri_rao": animal(
        "given a[i, r], b[j, r]\nk[p < size(i) * size(j), r] = a[p // size(j), r] * b[p % size(j), r]",
        lambda a, b: np.einsum("ir,jr->ijr", a, b).reshape(-1, a.shape[1]),
        a="n 2",
        b="3 2",
    ),
    "symmetric_part": animal("s[i, j] = (a[i, j] + a[j, i]) / 2", lambda a: (a + a.T) / 2, a="n n"),
    "triangular_product": animal(
        "y[i, c] = sum(j) where(j <= i, a[i, j], 0) * x[j, c]", lambda a, x: np.tril(a) @ x, a="n n", x="n 2"
    ),
    "dft": animal(
        """
        given x[t]
        re[k < size(t)] = sum(t) x[t] * cos(6.283185307179586 * k * t / size(t))
        im[k < size(t)] = sum(t) -x[t] * sin(6.283185307179586 * k * t / size(t))
        p[k] = re[k] ** 2 + im[k] ** 2
        """,
        lambda x: np.abs(np.fft.fft(x)) ** 2,
        x="n+1",
    ),
    "dct": animal(
        "given x[t]\ny[k < size(t)] = sum(t) 2 * x[t] * cos(3.141592653589793 * (2 * t + 1) * k / (2 * size(t)))",
        None,
        x="n+1",
    ),
    "factorisation_machine": animal(
        """
        s[b, f] = sum(i) x[b, i] * v[i, f]
        q[b, f] = sum(i) x[b, i] ** 2 * v[i, f] ** 2
        w1[b] = sum(i) x[b, i] * w[i]
        w2[b] = sum(f) 0.5 * (s[b, f] ** 2 - q[b, f])
        y[b] = w1[b] + w2[b]
        """,
        lambda x, v, w: x @ w + 0.5 * ((x @ v) ** 2 - (x**2) @ (v**2)).sum(1),
        x="n 3",
        v="3 2",
        w="3",
    ),
    "cross_network": animal(
        "p[b] = sum(i) x[b, i] * w[i]\ny[b, i] = x0[b, i] * p[b] + bias[i] + x[b, i]",
        lambda x, w, x0, bias: x0 * (x @ w)[:, None] + bias + x,
        x="n 3",
        w="3",
        x0="n 3",
        bias="3",
    ),
    "gaussian_mixture": animal(
        """
        given x[t, c], mu[k, c], s[k, c], logits[k]
        d[t, k] = sum(c) -0.5 * (x[t, c] - mu[k, c]) ** 2 * exp(-2 * s[k, c]) - s[k, c] - 0.918938533204673
        mw = max(k) logits[k]
        sw = sum(k) exp(logits[k] - mw)
        z[t, k] = d[t, k] + logits[k] - mw - log(sw)
        m[t] = max(k) z[t, k]
        e[t] = sum(k) exp(z[t, k] - m[t])
        loss = mean(t) -m[t] - log(e[t])
        """,
        None,
        x="n 2",
        mu="3 2",
        s="3 2",
        logits="3",
    ),
    "soft_k_means": animal(
        """
        d[t, k] = sum(c) (x[t, c] - mu[k, c]) ** 2
        m[t] = min(k) d[t, k]
        e[t, k] = exp(m[t] - d[t, k])
        s[t] = sum(k) e[t, k]
        n[k] = sum(t) e[t, k] / s[t]
        y[k, c] = sum(t) e[t, k] / s[t] * x[t, c] / n[k]
        """,
        None,
        x="n+1 2",
        mu="3 2",
    ),
    "graph_convolution": animal(
        """
        deg[i] = sum(j) a[i, j]
        h[j, o] = sum(c) x[j, c] * w[o, c]
        p[i, o] = sum(j) a[i, j] * rsqrt(deg[i] + 1) * rsqrt(deg[j] + 1) * h[j, o]
        y[i, o] = relu(p[i, o] + h[i, o] / (deg[i] + 1))
        """,
        None,
        a="unit: n n",
        x="n 2",
        w="3 2",
    ),
    "page_rank": animal(
        """
        d[j] = sum(i) a[i, j]
        p[i] = sum(j) a[i, j] / d[j] * r[j]
        y[i] = damping * p[i] + (1 - damping) / size(i)
        """,
        lambda a, r, damping: damping * (a / a.sum(0)) @ r + (1 - damping) / len(a),
        a="positive: n n",
        r="positive: n",
        damping=0.85,
    ),
    "laplace_energy": animal(
        "d[i] = sum(j) a[i, j]\ne = sum(i, j) 0.5 * a[i, j] * (x[i] - x[j]) ** 2 + where(i == j, 0.1 * d[i] * x[i] ** 2, 0)",
        None,
        a="n n",
        x="n",
    ),
    "log_determinant_2": animal(
        "l[b] = log(a[b] * c[b] - o[b] ** 2 + 9)",
        lambda a, c, o: np.log(a * c - o * o + 9),
        a="unit: n",
        c="unit: n",
        o="unit: n",
    ),
    "cholesky_2": animal(
        """
        l00[b] = sqrt(a[b, 0, 0] + 4)
        l10[b] = a[b, 1, 0] / l00[b]
        l11[b] = sqrt(a[b, 1, 1] + 9 - l10[b] ** 2)
        y[b, i < 2, j < 2] = where(j > i, 0, where(i == 0, l00[b], where(j == 0, l10[b], l11[b])))
        """,
        None,
        a="unit: n 2 2",
    ),
    "second_differences": animal(
        "given x[i]\ny[i] = 2 * x[i] - x[i - 1] - x[i + 1]", lambda x: tridiagonal(len(x)) @ x, x="n"
    ),
    "newton_schulz": animal(
        """
        q = sum(i, j) g[i, j] ** 2
        x[i, j] = g[i, j] * rsqrt(q + 1e-7)
        a[i, k] = sum(j) x[i, j] * x[k, j]
        b[i, k] = sum(l) a[i, l] * a[l, k]
        c[i, k] = -4.775 * a[i, k] + 2.0315 * b[i, k]
        d[i, j] = sum(k) c[i, k] * x[k, j]
        y[i, j] = 3.4445 * x[i, j] + d[i, j]
        """,
        None,
        g="n 3",
    ),
    "mixture_of_softmaxes": animal(
        """
        m[k, t] = max(v) x[k, t, v]
        s[k, t] = sum(v) exp(x[k, t, v] - m[k, t])
        p[t, v] = sum(k) w[k, t] * exp(x[k, t, v] - m[k, t]) / s[k, t]
        y[t, v] = log(p[t, v])
        """,
        lambda w, x: np.log(np.einsum("kt,ktv->tv", w, softmax(x))),
        x="2 n 3",
        w="positive: 2 n",
    ),
    "logsumexp_of_products": animal(
        """
        m[i] = max(k) a[i, k]
        n[j] = max(k) b[k, j]
        s[i, j] = sum(k) exp(a[i, k] - m[i] + b[k, j] - n[j])
        y[i, j] = m[i] + n[j] + log(s[i, j])
        """,
        lambda a, b: logsumexp(a[:, :, None] + b, 1),
        a="n 3",
        b="3 2",
    ),
    "tropical_product": animal(
        "y[i, j] = max(k) a[i, k] + b[k, j]", lambda a, b: (a[:, :, None] + b).max(1), a="spread: n 3", b="3 2"
    ),
    "min_plus": animal(
        "y[i, j] = min(k) a[i, k] + b[k, j]", lambda a, b: (a[:, :, None] + b).min(1), a="spread: n 3", b="3 2"
    ),
    "gated_mlp_residual": animal(
        """
        h[t, f] = sum(c) w1[f, c] * x[t, c]
        a[t, f] = h[t, f] * sigmoid(h[t, f])
        u[t, c] = sum(f) w2[c, f] * a[t, f]
        y[t, c] = x[t, c] + u[t, c]
        """,
        lambda w1, x, w2: x + ((x @ w1.T) * sigmoid(x @ w1.T)) @ w2.T,
        w1="4 3",
        x="n 3",
        w2="3 4",
    ),
}
