"""Optimisers' steps, schedules and clips; ops that call ops; declared outputs and saved stages."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import numpy as np

from codegen_tests.spec.zoo import Animal, animal, sigmoid, softmax

NORM = "given x[..., i], g[i], eps\nq[...] = mean(i) x[..., i] ** 2\nr[...] = rsqrt(q[...] + eps)\ny[..., i] = x[..., i] * r[...] * g[i]\nsaved(r)"
LINEAR = "y[t, o] = sum(i) x[t, i] * w[o, i]"
SOFTMAX = "m[...] = max(j) x[..., j]\ne[..., j] = exp(x[..., j] - m[...])\ns[...] = sum(j) e[..., j]\ny[..., j] = e[..., j] / s[...]"

OPTIMISERS: dict[str, Animal] = {
    "adam": animal(
        """
        given w[i], g[i], m[i], v[i], lr, b1, b2, eps, step: i32
        m2[i] = b1 * m[i] + (1 - b1) * g[i]
        v2[i] = b2 * v[i] + (1 - b2) * g[i] ** 2
        w2[i] = w[i] - lr * (m2[i] / (1 - b1 ** step)) / (sqrt(v2[i] / (1 - b2 ** step)) + eps)
        out(w2, m2, v2)
        """,
        lambda w, g, m, v, lr, b1, b2, eps, step: {
            "w2": w
            - lr
            * ((b1 * m + (1 - b1) * g) / (1 - b1**step))
            / (np.sqrt((b2 * v + (1 - b2) * g * g) / (1 - b2**step)) + eps),
            "m2": b1 * m + (1 - b1) * g,
            "v2": b2 * v + (1 - b2) * g * g,
        },
        w="n",
        g="n",
        m="n",
        v="positive: n",
        lr=0.1,
        b1=0.9,
        b2=0.99,
        eps=1e-3,
        step=3,
    ),
    "lion": animal(
        """
        given w[i], g[i], m[i], lr, b1, b2, decay
        u[i] = stop_gradient(sign(b1 * m[i] + (1 - b1) * g[i]))
        w2[i] = w[i] - lr * (u[i] + decay * w[i])
        m2[i] = b2 * m[i] + (1 - b2) * g[i]
        out(w2, m2)
        """,
        lambda w, g, m, lr, b1, b2, decay: {
            "w2": w - lr * (np.sign(b1 * m + (1 - b1) * g) + decay * w),
            "m2": b2 * m + (1 - b2) * g,
        },
        w="n",
        g="n",
        m="n",
        lr=0.1,
        b1=0.9,
        b2=0.99,
        decay=0.1,
    ),
    "adafactor": animal(
        """
        given w[i, j], g[i, j], r[i], c[j], lr, b
        r2[i] = mean(j) b * r[i] + (1 - b) * (g[i, j] ** 2 + 1e-3)
        c2[j] = mean(i) b * c[j] + (1 - b) * (g[i, j] ** 2 + 1e-3)
        rm = mean(i) r2[i]
        u[i, j] = g[i, j] * rsqrt(r2[i] / rm) * rsqrt(c2[j])
        q = mean(i, j) u[i, j] ** 2
        w2[i, j] = w[i, j] - lr * u[i, j] / max(1, sqrt(q))
        out(w2, r2, c2)
        """,
        None,
        w="n 3",
        g="n 3",
        r="positive: n",
        c="positive: 3",
        lr=0.1,
        b=0.9,
    ),
    "rmsprop": animal(
        "given w[i], g[i], v[i], lr, rho, eps\nv2[i] = rho * v[i] + (1 - rho) * g[i] * g[i]\n"
        "w2[i] = w[i] - lr * g[i] / (sqrt(v2[i]) + eps)\nout(w2, v2)",
        lambda w, g, v, lr, rho, eps: {
            "w2": w - lr * g / (np.sqrt(rho * v + (1 - rho) * g * g) + eps),
            "v2": rho * v + (1 - rho) * g * g,
        },
        w="n",
        g="n",
        v="positive: n",
        lr=0.1,
        rho=0.9,
        eps=1e-2,
    ),
    "lamb_trust": animal(
        """
        given w[i], u[i], lr, decay
        d[i] = u[i] + decay * w[i]
        nw = sum(i) w[i] ** 2
        nd = sum(i) d[i] ** 2
        ratio = where(nw > 0 and nd > 0, sqrt(nw) / sqrt(nd), 1)
        w2[i] = w[i] - lr * ratio * d[i]
        """,
        lambda w, u, lr, decay: w - lr * np.linalg.norm(w) / np.linalg.norm(u + decay * w) * (u + decay * w),
        w="n",
        u="n",
        lr=0.1,
        decay=0.1,
    ),
    "ema_weights": animal(
        "e2[i] = d * e[i] + (1 - d) * w[i]", lambda d, e, w: d * e + (1 - d) * w, d=0.99, e="n", w="n"
    ),
    "adagrad": animal(
        "given w[i], g[i], s[i], lr\ns2[i] = s[i] + g[i] ** 2\nw2[i] = w[i] - lr * g[i] * rsqrt(s2[i] + 1e-3)\nout(w2, s2)",
        None,
        w="n",
        g="n",
        s="positive: n",
        lr=0.1,
    ),
    "adadelta": animal(
        """
        given w[i], g[i], s[i], d[i], rho, eps
        s2[i] = rho * s[i] + (1 - rho) * g[i] ** 2
        u[i] = sqrt(d[i] + eps) / sqrt(s2[i] + eps) * g[i]
        d2[i] = rho * d[i] + (1 - rho) * u[i] ** 2
        w2[i] = w[i] - u[i]
        out(w2, s2, d2)
        """,
        None,
        w="n",
        g="n",
        s="positive: n",
        d="positive: n",
        rho=0.9,
        eps=1e-2,
    ),
    "nesterov": animal(
        "given w[i], g[i], v[i], lr, mu\nv2[i] = mu * v[i] + g[i]\nw2[i] = w[i] - lr * (g[i] + mu * v2[i])\nout(w2, v2)",
        lambda w, g, v, lr, mu: {"w2": w - lr * (g + mu * (mu * v + g)), "v2": mu * v + g},
        w="n",
        g="n",
        v="n",
        lr=0.1,
        mu=0.9,
    ),
    "lookahead": animal("s2[i] = s[i] + a * (f[i] - s[i])", lambda s, a, f: s + a * (f - s), s="n", a=0.5, f="n"),
    "sharpness": animal(
        "q = sum(i) g[i] ** 2\ne[i] = rho * g[i] * rsqrt(q + 1e-12)\nw2[i] = w[i] + e[i]",
        lambda g, rho, w: w + rho * g / np.linalg.norm(g),
        g="n",
        rho=0.05,
        w="n",
    ),
    "clip_by_norm": animal(
        "given g[i, j], most\nq = sum(i, j) g[i, j] ** 2\nf = min(1, most / (sqrt(q) + 1e-6))\ny[i, j] = g[i, j] * f",
        lambda g, most: g * min(1, most / (np.linalg.norm(g) + 1e-6)),
        g="n 3",
        most=0.5,
    ),
    "clip_by_value": animal(
        "y[...] = clamp(g[...], -most, most)", lambda g, most: np.clip(g, -most, most), g="n 3", most=0.5
    ),
    "cosine_schedule": animal(
        """
        given step: i32, warm: i32, total: i32, peak
        lr = where(step < warm, peak * step / warm, peak * 0.5 * (1 + cos(3.141592653589793 * (step - warm) / (total - warm))))
        """,
        lambda step, warm, total, peak: peak * 0.5 * (1 + np.cos(np.pi * (step - warm) / (total - warm))),
        step=30,
        warm=10,
        total=110,
        peak=3e-4,
    ),
    "scalars_only": animal("y = exp(a) * b + c ** 2", lambda a, b, c: np.exp(a) * b + c**2, a=0.5, b=2.0, c=-3.0),
    "block_of_calls": animal(
        """
        given x[t, i], g[i], w1[f, i], w2[i, f]
        n = norm(x, g, eps=1e-3)
        h = linear(n, w1)
        a[t, f] = silu(h[t, f])
        o = linear(a, w2)
        y[t, i] = x[t, i] + o[t, i]
        """,
        lambda x, g, w1, w2: (
            x + (lambda h: h * sigmoid(h))((x / np.sqrt((x**2).mean(1, keepdims=True) + 1e-3) * g) @ w1.T) @ w2.T
        ),
        {"norm": NORM, "linear": LINEAR},
        x="n 3",
        g="3",
        w1="4 3",
        w2="3 4",
    ),
    "call_twice": animal(
        "given x[b, t, j]\np = soft(x)\nz[b, t, j] = 2 * p[b, t, j] - x[b, t, j]\nq = soft(z)\ny[b, t, j] = p[b, t, j] * q[b, t, j]",
        lambda x: softmax(x) * softmax(2 * softmax(x) - x),
        {"soft": SOFTMAX},
        x="2 n 3",
    ),
    "call_in_leading": animal(
        "given x[..., j]\np = soft(x)\nloss[...] = sum(j) -p[..., j] * log(p[..., j])",
        lambda x: -(softmax(x) * np.log(softmax(x))).sum(-1),
        {"soft": SOFTMAX},
        x="2 n 3",
    ),
    "saved_and_out": animal(
        """
        given x[i, j], eps
        mu[i] = mean(j) x[i, j]
        c[i, j] = x[i, j] - mu[i]
        v[i] = mean(j) c[i, j] ** 2
        r[i] = rsqrt(v[i] + eps)
        y[i, j] = c[i, j] * r[i]
        out(y, r)
        saved(mu, r)
        """,
        None,
        x="n 3",
        eps=1e-2,
    ),
    "output_read_later": animal(
        "y[i] = x[i] ** 2\nz[i] = exp(y[i])\ns = sum(i) z[i] * y[i]\nout(y, z, s)",
        lambda x: {"y": x**2, "z": np.exp(x**2), "s": (np.exp(x**2) * x**2).sum()},
        x="n",
    ),
    "unused_stage": animal("a[i] = floor(x[i])\ny[i] = x[i] ** 2", lambda x: x**2, x="n"),
    "unused_input": animal("given x[i], z[i], k\ny[i] = x[i] ** 2", lambda x, **_: x**2, x="n", z="n", k=1.0),
    "same_input_out": animal("y[i] = x[i]", lambda x: x, x="n"),
    "constant_out": animal("given x[i]\ny[i < size(i)] = 3.0", lambda x: np.full(len(x), 3), x="n"),
    "power_of_scalars": animal(
        "given x[i], p, k: i32\ny[i] = x[i] ** p + x[i] ** k + 2 ** x[i] + x[i] ** -2 + x[i] ** 0.5 + (-x[i]) ** 3",
        lambda x, p, k: x**p + x**k + 2**x + x**-2 + x**0.5 + (-x) ** 3,
        x="positive: n",
        p=1.7,
        k=3,
    ),
    "names_of_languages": animal(
        "given let[fn, var], override, struct[fn]\nvec2[fn] = sum(var) let[fn, var] * override\narray[fn] = vec2[fn] * struct[fn] + fn",
        None,
        let="n 3",
        override=0.5,
        struct="n",
    ),
    "names_of_gradients": animal(
        "given d_x[i], x[i], t_z[i], p[i], total[i]\ny[i] = d_x[i] * x[i] ** 2 + t_z[i] * p[i] + total[i] ** 2",
        lambda d_x, x, t_z, p, total: d_x * x**2 + t_z * p + total**2,
        d_x="n",
        x="n",
        t_z="n",
        p="n",
        total="n",
    ),
    "greek": animal("given α[i], β\nγ[i] = α[i] ** 2 * β", lambda **k: k["α"] ** 2 * k["β"], α="n", β=0.5),
}
