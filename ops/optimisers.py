"""Steps of optimisers; nothing differentiates them. `debias1 = 1 - beta1 ** t` and `debias2` come from the host, in float64.

Gradients are clipped by the norm of all of them: `squares` holds the sum of squares of each tensor, a limit of 0 clips nothing.
"""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

WITHOUT = "a step of an optimiser is not differentiated"
CLIPPED = "where(limit > 0, limit / max(norm, limit), 1)"

OPS = (
    Definition(
        "adamw",
        """\
given p[...], g[...], m[...], v[...], rate, beta1, beta2, eps, decay, debias1, debias2
m_next[...] = beta1 * m[...] + (1 - beta1) * g[...]
v_next[...] = beta2 * v[...] + (1 - beta2) * g[...] * g[...]
p_next[...] = p[...] * (1 - rate * decay) - rate * (m_next[...] / debias1) / (sqrt(v_next[...] / debias2) + eps)
out(p_next, m_next, v_next)""",
        scalars={
            "rate": 2e-3,
            "beta1": 0.9,
            "beta2": 0.999,
            "eps": 1e-8,
            "decay": 0.01,
            "debias1": 0.1,
            "debias2": 0.001,
        },
        positive=("v",),
        without=WITHOUT,
    ),
    Definition(
        "sgd",
        "given p[...], g[...], rate\np_next[...] = p[...] - rate * g[...]",
        scalars={"rate": 0.1},
        without=WITHOUT,
    ),
    Definition(
        "sgd_momentum",
        """\
given p[...], g[...], v[...], rate, momentum
v_next[...] = momentum * v[...] - rate * g[...]
p_next[...] = p[...] + v_next[...]
out(p_next, v_next)""",
        scalars={"rate": 0.1, "momentum": 0.9},
        without=WITHOUT,
    ),
    Definition(
        "clip_by_norm",
        f"given g[...], norm, limit\ny[...] = g[...] * {CLIPPED}",
        scalars={"norm": 2.5, "limit": 1.0},
        without=WITHOUT,
    ),
    Definition(
        "clip_by_squares",
        f"""\
given g[...], squares[n], limit
total = sum(n) squares[n]
norm = sqrt(total)
y[...] = g[...] * {CLIPPED}
out(y, norm)""",
        scalars={"limit": 1.0},
        positive=("squares",),
        without=WITHOUT,
    ),
)
