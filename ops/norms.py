"""Norms of the last axis. `eps` stands inside the root and is one parameter of forward and backward."""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

EPS = {"eps": 1e-3}
CENTRED = """\
mu[...] = mean(i) x[..., i]
c[..., i] = x[..., i] - mu[...]
v[...] = mean(i) c[..., i] ** 2
r[...] = rsqrt(v[...] + eps)
"""
SQUARES = "q[...] = mean(i) x[..., i] ** 2\nr[...] = rsqrt(q[...] + eps)\n"

OPS = (
    Definition(
        "layer_norm",
        f"given x[..., i], eps\n{CENTRED}y[..., i] = c[..., i] * r[...]\nsaved(mu, r)",
        scalars=EPS,
        identities=("rows sum to 0",),
    ),
    Definition(
        "layer_norm_affine",
        f"given x[..., i], g[i], b[i], eps\n{CENTRED}y[..., i] = c[..., i] * r[...] * g[i] + b[i]\nsaved(mu, r)",
        scalars=EPS,
        identities=("rows sum to 0",),
    ),
    Definition(
        "rms_norm",
        f"given x[..., i], g[i], eps\n{SQUARES}y[..., i] = x[..., i] * r[...] * g[i]",
        scalars=EPS,
        identities=("at right angles",),
    ),
    Definition(
        "rms_norm_plain",
        f"given x[..., i], eps\n{SQUARES}y[..., i] = x[..., i] * r[...]",
        scalars=EPS,
        identities=("at right angles",),
    ),
    Definition(
        "l2_norm",
        "given x[..., i], eps\nq[...] = sum(i) x[..., i] ** 2\nr[...] = rsqrt(q[...] + eps)\ny[..., i] = x[..., i] * r[...]",
        scalars=EPS,
        identities=("at right angles",),
    ),
)
