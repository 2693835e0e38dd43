"""Maps: each element of the result from the elements at the same place; leading axes broadcast as numpy's.

Gradients at kinks: relu has 0 at 0, clamp 1 at both bounds and 0 outside.
"""

from __future__ import annotations

from shaderdsl.ops.definition import Definition

OPS = (
    Definition("copy", "y[...] = x[...]", identities=("turns back",)),
    Definition(
        "fill", "given n: i32, value\ny[i < n] = value", scalars={"n": 5, "value": 0.3}, without="it reads no tensor"
    ),
    Definition("add", "y[...] = a[...] + b[...]", identities=("transpose",)),
    Definition("sub", "y[...] = a[...] - b[...]", identities=("transpose",)),
    Definition("mul", "y[...] = a[...] * b[...]", identities=("transpose of each",)),
    Definition("div", "y[...] = a[...] / b[...]", positive=("b",)),
    Definition(
        "scale",
        "given x[...], factor\ny[...] = factor * x[...]",
        scalars={"factor": 0.7},
        identities=("transpose of each",),
    ),
    Definition("exp", "y[...] = exp(x[...])"),
    Definition("log", "y[...] = log(x[...])", positive=("x",)),
    Definition("sqrt", "y[...] = sqrt(x[...])", positive=("x",)),
    Definition("rsqrt", "y[...] = rsqrt(x[...])", positive=("x",)),
    Definition("tanh", "y[...] = tanh(x[...])"),
    Definition("sigmoid", "y[...] = sigmoid(x[...])"),
    Definition("relu", "y[...] = relu(x[...])"),
    Definition("relu2_gate", "given g[...], u[...]\nh[...] = relu(g[...]) ** 2 * u[...]"),
    Definition("gelu", "y[...] = gelu(x[...])"),
    Definition("silu", "y[...] = silu(x[...])"),
    Definition("swiglu", "given g[...], u[...]\nh[...] = silu(g[...]) * u[...]"),
    Definition("softplus", "y[...] = softplus(x[...])"),
    Definition(
        "clamp",
        "given x[...], low, high\ny[...] = clamp(x[...], low, high)",
        scalars={"low": -0.5, "high": 0.25},
    ),
)
