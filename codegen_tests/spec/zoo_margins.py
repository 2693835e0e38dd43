"""Losses of ranking, of sequences, of segmentation and of regression, beside those of `zoo_losses`."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, animal, logsumexp, sigmoid, softmax, softplus, unit

MARGINS: dict[str, Animal] = {
    "masked_cross_entropy": animal(
        """
        given x[t, v], label[t]: i32, w[t]
        m[t] = max(v) x[t, v]
        s[t] = sum(v) exp(x[t, v] - m[t])
        each[t] = where(label[t] != 0, w[t] * (m[t] + log(s[t]) - x[t, label[t]]), 0)
        n = sum(t) where(label[t] != 0, w[t] ** 2, 0)
        total = sum(t) each[t]
        loss = total / (n + 1)
        """,
        lambda x, label, w: (
            np.where(label != 0, w * (logsumexp(x) - x[np.arange(len(x)), label]), 0).sum()
            / (np.where(label != 0, w * w, 0).sum() + 1)
        ),
        x="n 4",
        label="below 4: n",
        w="n",
    ),
    "focal_softmax": animal(
        """
        given x[t, v], label[t]: i32, gamma
        m[t] = max(v) x[t, v]
        s[t] = sum(v) exp(x[t, v] - m[t])
        logp[t] = x[t, label[t]] - m[t] - log(s[t])
        loss = mean(t) -pow(1 - exp(logp[t]), gamma) * logp[t]
        """,
        lambda x, label, gamma: (lambda lp: (-((1 - np.exp(lp)) ** gamma) * lp).mean())(
            x[np.arange(len(x)), label] - logsumexp(x)
        ),
        x="n 4",
        label="below 4: n",
        gamma=2.0,
    ),
    "poly_loss": animal(
        """
        given x[t, v], label[t]: i32, eps
        m[t] = max(v) x[t, v]
        e[t, v] = exp(x[t, v] - m[t])
        s[t] = sum(v) e[t, v]
        p[t, v] = e[t, v] / s[t]
        each[t] = m[t] + log(s[t]) - x[t, label[t]] + eps * (1 - p[t, label[t]])
        loss = mean(t) each[t]
        """,
        lambda x, label, eps: (
            logsumexp(x) - x[np.arange(len(x)), label] + eps * (1 - softmax(x)[np.arange(len(x)), label])
        ).mean(),
        x="n 4",
        label="below 4: n",
        eps=0.5,
    ),
    "list_net": animal(
        """
        my[i] = max(j) y[i, j]
        ey[i, j] = exp(y[i, j] - my[i])
        sy[i] = sum(j) ey[i, j]
        mx[i] = max(j) x[i, j]
        sx[i] = sum(j) exp(x[i, j] - mx[i])
        each[i] = sum(j) ey[i, j] / sy[i] * (mx[i] + log(sx[i]) - x[i, j])
        loss = mean(i) each[i]
        """,
        lambda x, y: (softmax(y) * (logsumexp(x)[:, None] - x)).sum(1).mean(),
        y="n 4",
        x="n 4",
    ),
    "list_mle": animal(
        """
        given x[i, j]
        m[i] = max(j) x[i, j]
        c[i, j] = scan(j) c[i, j + 1] + exp(x[i, j] - m[i])
        loss = mean(i, j) log(c[i, j]) - (x[i, j] - m[i])
        """,
        lambda x: (np.log(np.exp(x)[:, ::-1].cumsum(1)[:, ::-1]) - x).mean(),
        x="n 4",
    ),
    "rank_net": animal(
        """
        given x[i], r[i]: i32
        loss = sum(i, j < size(i)) where(r[i] > r[j], softplus(x[j] - x[i]), 0)
        """,
        lambda x, r: np.where(r[:, None] > r[None, :], softplus(x[None, :] - x[:, None]), 0).sum(),
        x="n+2",
        r="below 3: n+2",
    ),
    "siglip": animal(
        """
        given a[i, c], b[j, c], scale, bias
        z[i, j] = sum(c) a[i, c] * b[j, c]
        loss = mean(i, j) softplus(where(i == j, -1, 1) * (exp(scale) * z[i, j] + bias))
        """,
        lambda a, b, scale, bias: softplus(
            np.where(np.eye(len(a), len(b)), -1, 1) * (np.exp(scale) * a @ b.T + bias)
        ).mean(),
        a="n 3",
        b="n 3",
        scale=0.2,
        bias=-0.5,
    ),
    "supervised_contrastive": animal(
        """
        given f[i, c], k[j, c], label[i]: i32, tau
        s[i, j] = sum(c) f[i, c] * k[j, c] / tau
        z[i, j] = where(i == j, -1e30, s[i, j])
        m[i] = max(j) z[i, j]
        l[i] = sum(j) where(i == j, 0, exp(z[i, j] - m[i]))
        same[i, j] = i != j and label[i] == label[j]
        n[i] = sum(j) where(same[i, j], 1.0, 0.0)
        each[i] = sum(j) where(same[i, j], m[i] + log(l[i]) - s[i, j], 0)
        loss = mean(i) each[i] / max(n[i], 1.0)
        """,
        None,
        f="n+2 3",
        k="n+2 3",
        label="below 2: n+2",
        tau=0.7,
    ),
    "arc_margin": animal(
        """
        given x[t, c], w[v, c], label[t]: i32, margin, scale
        xx[t] = sum(c) x[t, c] ** 2
        ww[v] = sum(c) w[v, c] ** 2
        d[t, v] = sum(c) x[t, c] * w[v, c]
        cosine[t, v] = 0.9 * d[t, v] * rsqrt(xx[t]) * rsqrt(ww[v])
        z[t, v] = scale * where(label[t] == v, cos(acos(cosine[t, v]) + margin), cosine[t, v])
        m[t] = max(v) z[t, v]
        s[t] = sum(v) exp(z[t, v] - m[t])
        loss = mean(t) m[t] + log(s[t]) - z[t, label[t]]
        """,
        lambda x, w, label, margin, scale: arc_margin(x, w, label, margin, scale),
        x="n 3",
        w="4 3",
        label="below 4: n",
        margin=0.3,
        scale=4.0,
    ),
    "tweedie": animal(
        "loss = mean(i) pow(mu[i], 2 - p) / (2 - p) - y[i] * pow(mu[i], 1 - p) / (1 - p)",
        lambda mu, y, p: (mu ** (2 - p) / (2 - p) - y * mu ** (1 - p) / (1 - p)).mean(),
        mu="positive: n",
        y="positive: n",
        p=1.5,
    ),
    "student_t": animal(
        "loss = mean(i) log(s[i]) + (nu + 1) / 2 * log(1 + ((y[i] - mu[i]) / s[i]) ** 2 / nu)",
        lambda y, mu, s, nu: (np.log(s) + (nu + 1) / 2 * np.log1p(((y - mu) / s) ** 2 / nu)).mean(),
        y="n",
        mu="n",
        s="positive: n",
        nu=4.0,
    ),
    "laplace_nll": animal(
        "loss = mean(i) log(2 * exp(b[i])) + abs(y[i] - mu[i]) / exp(b[i])",
        lambda b, y, mu: (np.log(2) + b + np.abs(y - mu) * np.exp(-b)).mean(),
        b="n",
        y="n",
        mu="n",
    ),
    "mixture_density": animal(
        """
        given logit[t, k], mu[t, k], s[t, k], y[t]
        z[t, k] = logit[t, k] - s[t, k] - 0.5 * ((y[t] - mu[t, k]) / exp(s[t, k])) ** 2
        m[t] = max(k) z[t, k]
        l[t] = sum(k) exp(z[t, k] - m[t])
        ml[t] = max(k) logit[t, k]
        ll[t] = sum(k) exp(logit[t, k] - ml[t])
        loss = mean(t) ml[t] + log(ll[t]) - m[t] - log(l[t])
        """,
        lambda logit, mu, s, y: (
            logsumexp(logit) - logsumexp(logit - s - 0.5 * ((y[:, None] - mu) / np.exp(s)) ** 2)
        ).mean(),
        logit="n 3",
        mu="n 3",
        s="n 3",
        y="n",
    ),
    "quantile_huber": animal(
        """
        given q[i], y[j], kappa
        u[i, j] = y[j] - q[i]
        h[i, j] = where(abs(u[i, j]) <= kappa, 0.5 * u[i, j] ** 2, kappa * (abs(u[i, j]) - 0.5 * kappa))
        loss = sum(i, j) abs((i + 0.5) / size(i) - where(u[i, j] < 0, 1, 0)) * h[i, j] / kappa
        """,
        None,
        q="n+1",
        y="n+2",
        kappa=0.7,
    ),
    "soft_dice_multiclass": animal(
        """
        given x[b, c, p], t[b, c, p]
        m[b, p] = max(c) x[b, c, p]
        e[b, c, p] = exp(x[b, c, p] - m[b, p])
        s[b, p] = sum(c) e[b, c, p]
        y[b, c, p] = e[b, c, p] / s[b, p]
        both[c] = sum(b, p) y[b, c, p] * t[b, c, p]
        all[c] = sum(b, p) y[b, c, p] ** 2 + t[b, c, p] ** 2
        loss = mean(c) 1 - 2 * both[c] / (all[c] + 1e-3)
        """,
        lambda x, t: (
            1 - 2 * (softmax(x, 1) * t).sum((0, 2)) / ((softmax(x, 1) ** 2 + t * t).sum((0, 2)) + 1e-3)
        ).mean(),
        x="n 3 2",
        t="unit: n 3 2",
    ),
    "iou_boxes": animal(
        """
        given a[n, k], b[n, k]
        w[n] = relu(min(a[n, 2], b[n, 2]) - max(a[n, 0], b[n, 0]))
        h[n] = relu(min(a[n, 3], b[n, 3]) - max(a[n, 1], b[n, 1]))
        i[n] = w[n] * h[n]
        u[n] = (a[n, 2] - a[n, 0]) * (a[n, 3] - a[n, 1]) + (b[n, 2] - b[n, 0]) * (b[n, 3] - b[n, 1]) - i[n]
        loss = mean(n) 1 - i[n] / (abs(u[n]) + 1)
        """,
        None,
        a="n 4",
        b="n 4",
    ),
    "vicreg": animal(
        """
        given a[n, c], b[n, c]
        ma[c] = mean(n) a[n, c]
        va[c] = mean(n) (a[n, c] - ma[c]) ** 2
        cov[c, d < size(c)] = mean(n) (a[n, c] - ma[c]) * (a[n, d] - ma[d])
        hinge = mean(c) relu(1.5 - sqrt(va[c] + 1e-3))
        off = sum(c, d) where(c == d, 0, cov[c, d] ** 2)
        near = mean(n, c) (a[n, c] - b[n, c]) ** 2
        loss = near + 0.5 * hinge + off / size(c)
        """,
        None,
        a="n+1 3",
        b="n+1 3",
    ),
    "sam_perturbed_bce": animal(
        """
        given x[i], w[i], y
        z = sum(i) x[i] * w[i]
        g[i] = (sigmoid(z) - y) * x[i]
        q = sum(i) g[i] ** 2
        z2 = sum(i) x[i] * (w[i] + 0.1 * g[i] * rsqrt(q + 1e-6))
        loss = softplus(z2) - y * z2
        """,
        lambda x, w, y: (
            lambda g: (
                softplus(x @ (w + 0.1 * g / np.sqrt((g * g).sum() + 1e-6)))
                - y * (x @ (w + 0.1 * g / np.sqrt((g * g).sum() + 1e-6)))
            )
        )((sigmoid(x @ w) - y) * x),
        x="n",
        w="n",
        y=0.3,
    ),
    "cosine_triplet": animal(
        """
        given a[i, c], p[i, c], n[i, c], margin
        aa[i] = sum(c) a[i, c] ** 2
        pp[i] = sum(c) p[i, c] ** 2
        nn[i] = sum(c) n[i, c] ** 2
        ap[i] = sum(c) a[i, c] * p[i, c]
        an[i] = sum(c) a[i, c] * n[i, c]
        loss = mean(i) max(0, margin + an[i] / (sqrt(aa[i]) * sqrt(nn[i])) - ap[i] / (sqrt(aa[i]) * sqrt(pp[i])))
        """,
        lambda a, p, n, margin: np.maximum(0, margin + (unit(a) * unit(n)).sum(1) - (unit(a) * unit(p)).sum(1)).mean(),
        a="n 3",
        p="n 3",
        n="n 3",
        margin=0.4,
    ),
}


def arc_margin(x: np.ndarray, w: np.ndarray, label: np.ndarray, margin: float, scale: float) -> np.ndarray:
    cosine = 0.9 * unit(x) @ unit(w).T
    z = scale * np.where(label[:, None] == np.arange(len(w)), np.cos(np.arccos(cosine) + margin), cosine)
    return (logsumexp(z) - z[np.arange(len(x)), label]).mean()
