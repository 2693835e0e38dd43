"""Cross entropy of logits against labels, the mean over the tokens that count.

A label outside the vocabulary does not count, nor a token outside `start <= t < stop`; a loss over no token is 0.
"""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

ENTROPY = """\
m[t] = max(v) x[t, v]
s[t] = sum(v) exp(x[t, v] - m[t])
counted[t] = {counted}
n = sum(t) counted[t]
each[t] = where(counted[t], m[t] + log(s[t]) - x[t, label[t]; 0], 0)
total = sum(t) each[t]
loss = total / max(n, 1)
saved(m, s)"""
KNOWN = "label[t] >= 0 and label[t] < size(v)"

OPS = (
    Definition(
        "cross_entropy",
        f"given x[t, v], label[t]: i32\n{ENTROPY.format(counted=KNOWN)}",
        below={"label": "v + 1"},
        identities=("rows sum to 0",),
    ),
    Definition(
        "cross_entropy_range",
        f"given x[t, v], label[t]: i32, start: i32, stop: i32\n{ENTROPY.format(counted=f'{KNOWN} and t >= start and t < stop')}",
        below={"label": "v + 1"},
        scalars={"start": 0, "stop": 3},
        identities=("rows sum to 0",),
    ),
)
