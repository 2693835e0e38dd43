"""Causal depthwise convolution along time; `w[d, 0]` multiplies the current step."""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

OPS = (
    Definition(
        "causal_conv1d",
        """\
given x[b, t, d], w[d, k], bias[d]
p[b, t, d] = sum(k) w[d, k] * x[b, t - k, d]
y[b, t, d] = bias[d] + p[b, t, d]""",
    ),
)
