"""Losses: mostly of rank 0, by stages of rows."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, animal, logsumexp, sigmoid, softmax, softplus, unit


def huber(r: np.ndarray, delta: float) -> np.ndarray:
    return np.where(np.abs(r) <= delta, 0.5 * r * r, delta * (np.abs(r) - 0.5 * delta))


LOSSES: dict[str, Animal] = {
    "mse": animal("loss = mean(i, j) (x[i, j] - y[i, j]) ** 2", lambda x, y: ((x - y) ** 2).mean(), x="n 3", y="n 3"),
    "mae": animal("loss = mean(i) abs(x[i] - y[i])", lambda x, y: np.abs(x - y).mean(), x="n", y="n"),
    "rmse": animal(
        "q = mean(i) (x[i] - y[i]) ** 2\nloss = sqrt(q)", lambda x, y: np.sqrt(((x - y) ** 2).mean()), x="n", y="n"
    ),
    "huber": animal(
        """
        r[i] = x[i] - y[i]
        loss = mean(i) where(abs(r[i]) <= delta, 0.5 * r[i] ** 2, delta * (abs(r[i]) - 0.5 * delta))
        """,
        lambda x, y, delta: huber(x - y, delta).mean(),
        x="n",
        y="n",
        delta=0.9,
    ),
    "smooth_l1": animal(
        """
        given x[n, c], y[n, c], beta
        d[n, c] = abs(x[n, c] - y[n, c])
        each[n, c] = where(d[n, c] < beta, 0.5 * d[n, c] * d[n, c] / beta, d[n, c] - 0.5 * beta)
        loss = sum(n, c) each[n, c]
        """,
        lambda x, y, beta: (huber(x - y, beta) / beta).sum(),
        x="n 3",
        y="n 3",
        beta=0.6,
    ),
    "hinge": animal("loss = sum(i) max(0, 1 - y[i] * x[i])", lambda x, y: np.maximum(0, 1 - y * x).sum(), x="n", y="n"),
    "squared_hinge": animal(
        "loss = mean(i) relu(1 - y[i] * x[i]) ** 2", lambda x, y: (np.maximum(0, 1 - y * x) ** 2).mean(), x="n", y="n"
    ),
    "multiclass_hinge": animal(
        """
        given x[i, c], label[i]: i32
        right[i] = x[i, label[i]]
        loss = mean(i, c) where(c == label[i], 0, max(0, 1 - right[i] + x[i, c]))
        """,
        lambda x, label: np.where(
            np.arange(x.shape[1]) == label[:, None],
            0,
            np.maximum(0, 1 - x[np.arange(len(x)), label][:, None] + x),
        ).mean(),
        x="n 4",
        label="below 4: n",
    ),
    "logcosh": animal(
        "r[i] = abs(x[i] - y[i])\nloss = mean(i) r[i] + softplus(-2 * r[i]) - log(2)",
        lambda x, y: np.log(np.cosh(x - y)).mean(),
        x="n",
        y="n",
    ),
    "poisson_nll": animal(
        "loss = mean(i) exp(x[i]) - y[i] * x[i]", lambda x, y: (np.exp(x) - y * x).mean(), x="n", y="positive: n"
    ),
    "gaussian_nll": animal(
        "loss = mean(i) 0.5 * (log(max(v[i], eps)) + (x[i] - y[i]) ** 2 / max(v[i], eps))",
        lambda x, y, v, eps: (0.5 * (np.log(np.maximum(v, eps)) + (x - y) ** 2 / np.maximum(v, eps))).mean(),
        x="n",
        y="n",
        v="positive: n",
        eps=1e-6,
    ),
    "kl_divergence": animal(
        "loss = sum(i, j) p[i, j] * (log(p[i, j]) - q[i, j]) / size(i)",
        lambda p, q: (p * (np.log(p) - q)).sum() / len(p),
        p="unit: n 3",
        q="n 3",
    ),
    "jensen_shannon": animal(
        """
        m[i, j] = (p[i, j] + q[i, j]) / 2
        a = sum(i, j) p[i, j] * log(p[i, j] / m[i, j])
        b = sum(i, j) q[i, j] * log(q[i, j] / m[i, j])
        loss = (a + b) / 2
        """,
        lambda p, q: 0.5 * (p * np.log(2 * p / (p + q)) + q * np.log(2 * q / (p + q))).sum(),
        p="unit: n 3",
        q="unit: n 3",
    ),
    "bce_with_logits": animal(
        "loss = mean(i) max(x[i], 0) - x[i] * y[i] + softplus(-abs(x[i]))",
        lambda x, y: (softplus(x) - x * y).mean(),
        x="n",
        y="unit: n",
    ),
    "bce": animal(
        "loss = mean(i) -(y[i] * log(p[i]) + (1 - y[i]) * log(1 - p[i]))",
        lambda p, y: -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean(),
        p="unit: n",
        y="unit: n",
    ),
    "focal": animal(
        """
        given x[i], y[i], alpha, gamma
        p[i]  = sigmoid(x[i])
        ce[i] = softplus(x[i]) - x[i] * y[i]
        pt[i] = p[i] * y[i] + (1 - p[i]) * (1 - y[i])
        at[i] = alpha * y[i] + (1 - alpha) * (1 - y[i])
        loss  = mean(i) at[i] * (1 - pt[i]) ** gamma * ce[i]
        """,
        lambda x, y, alpha, gamma: (
            (alpha * y + (1 - alpha) * (1 - y))
            * (1 - (sigmoid(x) * y + (1 - sigmoid(x)) * (1 - y))) ** gamma
            * (softplus(x) - x * y)
        ).mean(),
        x="n",
        y="unit: n",
        alpha=0.25,
        gamma=2.0,
    ),
    "label_smoothing": animal(
        """
        given x[t, v], label[t]: i32, eps
        m[t] = max(v) x[t, v]
        s[t] = sum(v) exp(x[t, v] - m[t])
        z[t] = m[t] + log(s[t])
        a[t] = mean(v) x[t, v]
        loss = mean(t) z[t] - (1 - eps) * x[t, label[t]] - eps * a[t]
        """,
        lambda x, label, eps: (logsumexp(x) - (1 - eps) * x[np.arange(len(x)), label] - eps * x.mean(1)).mean(),
        x="n 5",
        label="below 5: n",
        eps=0.1,
    ),
    "soft_targets": animal(
        """
        m[t] = max(v) x[t, v]
        s[t] = sum(v) exp(x[t, v] - m[t])
        loss = mean(t, v) -q[t, v] * (x[t, v] - m[t] - log(s[t]))
        """,
        lambda x, q: -(q * (x - logsumexp(x)[:, None])).mean(),
        x="n 5",
        q="unit: n 5",
    ),
    "z_loss": animal(
        """
        given x[t, v], label[t]: i32, weight
        m[t] = max(v) x[t, v]
        s[t] = sum(v) exp(x[t, v] - m[t])
        z[t] = m[t] + log(s[t])
        loss = mean(t) z[t] - x[t, label[t]] + weight * z[t] ** 2
        """,
        lambda x, label, weight: (logsumexp(x) - x[np.arange(len(x)), label] + weight * logsumexp(x) ** 2).mean(),
        x="n 5",
        label="below 5: n",
        weight=1e-2,
    ),
    "info_nce": animal(
        """
        given a[i, c], b[j, c], tau
        na[i] = sum(c) a[i, c] ** 2
        nb[j] = sum(c) b[j, c] ** 2
        s[i, j] = sum(c) a[i, c] * rsqrt(na[i]) * b[j, c] * rsqrt(nb[j]) / tau
        m[i] = max(j) s[i, j]
        e[i] = sum(j) exp(s[i, j] - m[i])
        loss = mean(i) m[i] + log(e[i]) - s[i, i]
        """,
        lambda a, b, tau: (logsumexp(unit(a) @ unit(b).T / tau) - np.diag(unit(a) @ unit(b).T / tau)).mean(),
        a="n 3",
        b="n 3",
        tau=0.5,
    ),
    "clip_loss": animal(
        """
        given a[i, c], b[j, c], scale
        s[i, j] = sum(c) a[i, c] * b[j, c]
        z[i, j] = exp(scale) * s[i, j]
        mr[i] = max(j) z[i, j]
        er[i] = sum(j) exp(z[i, j] - mr[i])
        mc[j] = max(i) z[i, j]
        ec[j] = sum(i) exp(z[i, j] - mc[j])
        loss = mean(k < size(i)) 0.5 * (mr[k] + log(er[k]) + mc[k] + log(ec[k])) - z[k, k]
        """,
        lambda a, b, scale: (
            0.5 * (logsumexp(np.exp(scale) * a @ b.T, 1) + logsumexp(np.exp(scale) * a @ b.T, 0))
            - np.diag(np.exp(scale) * a @ b.T)
        ).mean(),
        a="n 3",
        b="n 3",
        scale=0.3,
    ),
    "triplet": animal(
        """
        given a[i, c], p[i, c], q[i, c], margin
        dp[i] = sum(c) (a[i, c] - p[i, c]) ** 2
        dq[i] = sum(c) (a[i, c] - q[i, c]) ** 2
        loss = mean(i) relu(sqrt(dp[i]) - sqrt(dq[i]) + margin)
        """,
        lambda a, p, q, margin: np.maximum(
            np.linalg.norm(a - p, axis=1) - np.linalg.norm(a - q, axis=1) + margin, 0
        ).mean(),
        a="n 3",
        p="n 3",
        q="n 3",
        margin=0.8,
    ),
    "contrastive": animal(
        """
        given a[i, c], b[i, c], same[i], margin
        q[i] = sum(c) (a[i, c] - b[i, c]) ** 2
        loss = mean(i) same[i] * q[i] + (1 - same[i]) * max(0, margin - sqrt(q[i])) ** 2
        """,
        lambda a, b, same, margin: (
            same * ((a - b) ** 2).sum(1) + (1 - same) * np.maximum(0, margin - np.linalg.norm(a - b, axis=1)) ** 2
        ).mean(),
        a="n 3",
        b="n 3",
        same="unit: n",
        margin=2.5,
    ),
    "cosine_embedding": animal(
        """
        ab[i] = sum(c) a[i, c] * b[i, c]
        aa[i] = sum(c) a[i, c] * a[i, c]
        bb[i] = sum(c) b[i, c] * b[i, c]
        loss = mean(i) 1 - ab[i] / max(sqrt(aa[i]) * sqrt(bb[i]), 1e-8)
        """,
        lambda a, b: (1 - (unit(a) * unit(b)).sum(1)).mean(),
        a="n 3",
        b="n 3",
    ),
    "dice": animal(
        """
        given x[b, i], y[b, i], smooth
        p[b, i] = sigmoid(x[b, i])
        inter[b] = sum(i) p[b, i] * y[b, i]
        total[b] = sum(i) p[b, i] + y[b, i]
        loss = mean(b) 1 - (2 * inter[b] + smooth) / (total[b] + smooth)
        """,
        lambda x, y, smooth: (1 - (2 * (sigmoid(x) * y).sum(1) + smooth) / ((sigmoid(x) + y).sum(1) + smooth)).mean(),
        x="n 5",
        y="unit: n 5",
        smooth=1.0,
    ),
    "tversky": animal(
        """
        given p[i], y[i], alpha, beta
        tp = sum(i) p[i] * y[i]
        fp = sum(i) p[i] * (1 - y[i])
        fn = sum(i) (1 - p[i]) * y[i]
        loss = 1 - tp / (tp + alpha * fp + beta * fn)
        """,
        lambda p, y, alpha, beta: (
            1 - (p * y).sum() / ((p * y).sum() + alpha * (p * (1 - y)).sum() + beta * ((1 - p) * y).sum())
        ),
        p="unit: n",
        y="unit: n",
        alpha=0.3,
        beta=0.7,
    ),
    "pinball": animal(
        "loss = mean(i, k) max(q[k] * (y[i] - x[i, k]), (q[k] - 1) * (y[i] - x[i, k]))",
        lambda q, y, x: np.maximum(q * (y[:, None] - x), (q - 1) * (y[:, None] - x)).mean(),
        q="unit: 3",
        y="n",
        x="n 3",
    ),
    "margin_ranking": animal(
        "loss = mean(i, j) where(y[i] > y[j], softplus(x[j] - x[i]), 0)",
        lambda y, x: np.where(y[:, None] > y, softplus(x - x[:, None]), 0).mean(),
        y="spread: n",
        x="n",
    ),
    "nll_weighted": animal(
        """
        given logp[i, c], label[i]: i32, w[c]
        top = sum(i) -w[label[i]] * logp[i, label[i]]
        bottom = sum(i) w[label[i]]
        loss = top / bottom
        """,
        lambda logp, label, w: -(w[label] * logp[np.arange(len(label)), label]).sum() / w[label].sum(),
        logp="n 4",
        label="below 4: n",
        w="positive: 4",
    ),
    "vae_kl": animal(
        "loss = sum(b, z) -0.5 * (1 + lv[b, z] - mu[b, z] ** 2 - exp(lv[b, z]))",
        lambda lv, mu: -0.5 * (1 + lv - mu**2 - np.exp(lv)).sum(),
        lv="n 3",
        mu="n 3",
    ),
    "wing": animal(
        """
        d[i] = abs(x[i] - y[i])
        loss = sum(i) where(d[i] < w, w * log(1 + d[i] / eps), d[i] - (w - w * log(1 + w / eps)))
        """,
        lambda x, y, w, eps: np.where(
            np.abs(x - y) < w, w * np.log1p(np.abs(x - y) / eps), np.abs(x - y) - (w - w * np.log1p(w / eps))
        ).sum(),
        x="n",
        y="n",
        w=1.0,
        eps=0.3,
    ),
    "charbonnier": animal(
        "loss = sum(i, j) sqrt((x[i, j] - y[i, j]) ** 2 + eps * eps)",
        lambda x, y, eps: np.sqrt((x - y) ** 2 + eps * eps).sum(),
        x="n 3",
        y="n 3",
        eps=0.1,
    ),
    "dpo": animal(
        """
        given cw[i], cl[i], rw[i], rl[i], beta
        margin[i] = beta * ((cw[i] - rw[i]) - (cl[i] - rl[i]))
        loss = mean(i) softplus(-margin[i])
        """,
        lambda cw, cl, rw, rl, beta: softplus(-beta * (cw - rw - cl + rl)).mean(),
        cw="n",
        cl="n",
        rw="n",
        rl="n",
        beta=0.5,
    ),
    "ppo_clip": animal(
        """
        given logp[t], old[t], adv[t], eps
        r[t] = exp(logp[t] - old[t])
        loss = mean(t) -min(r[t] * adv[t], clamp(r[t], 1 - eps, 1 + eps) * adv[t])
        """,
        lambda logp, old, adv, eps: (
            -np.minimum(np.exp(logp - old) * adv, np.clip(np.exp(logp - old), 1 - eps, 1 + eps) * adv).mean()
        ),
        logp="n",
        old="n",
        adv="n",
        eps=0.2,
    ),
    "distillation": animal(
        """
        given x[t, v], teacher[t, v], tau
        mx[t] = max(v) x[t, v] / tau
        sx[t] = sum(v) exp(x[t, v] / tau - mx[t])
        mt[t] = max(v) teacher[t, v] / tau
        st[t] = sum(v) exp(teacher[t, v] / tau - mt[t])
        p[t, v] = exp(teacher[t, v] / tau - mt[t]) / st[t]
        total = sum(t, v) p[t, v] * (log(p[t, v]) - (x[t, v] / tau - mx[t] - log(sx[t])))
        loss = tau ** 2 * total / size(t)
        """,
        lambda x, teacher, tau: (
            tau**2
            * (softmax(teacher / tau) * (np.log(softmax(teacher / tau)) - np.log(softmax(x / tau)))).sum()
            / len(x)
        ),
        x="n 4",
        teacher="n 4",
        tau=2.0,
    ),
    "barlow_twins": animal(
        """
        given a[b, i], z[b, j], lam
        ma[i] = mean(b) a[b, i]
        va[i] = mean(b) (a[b, i] - ma[i]) ** 2
        mz[j] = mean(b) z[b, j]
        vz[j] = mean(b) (z[b, j] - mz[j]) ** 2
        c[i, j] = mean(b) (a[b, i] - ma[i]) * rsqrt(va[i] + 1e-3) * (z[b, j] - mz[j]) * rsqrt(vz[j] + 1e-3)
        loss = sum(i, j) where(i == j, (1 - c[i, j]) ** 2, lam * c[i, j] ** 2)
        """,
        None,
        a="n+1 3",
        z="n+1 3",
        lam=0.1,
    ),
    "evidential": animal(
        """
        e[i, k] = softplus(x[i, k])
        a[i, k] = e[i, k] + 1
        s[i] = sum(k) a[i, k]
        loss = sum(i, k) (y[i, k] - a[i, k] / s[i]) ** 2 + a[i, k] * (s[i] - a[i, k]) / (s[i] * s[i] * (s[i] + 1))
        """,
        None,
        x="n 3",
        y="unit: n 3",
    ),
}
