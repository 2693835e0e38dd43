"""Graphs for the law that fusion changes nothing: drawn by number, of the ops that networks are made of, with gradients.

    drawn = draw_graph(7)               # 2 to 40 ops
    plan = sd.compile(drawn.function)
    plan(**drawn.arguments)

Values stay near 1 in size, so that an error is one of fusion and not of a badly conditioned sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shaderdsl.graph.grad import grad
from shaderdsl.graph.operators import made
from shaderdsl.graph.tensor import Tensor, calls_of

SIZES = (1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 20, 33)
FORMULAS: dict[str, str] = {
    "tanh": "y[...] = tanh(x[...])",
    "relu": "y[...] = relu(x[...])",
    "gelu": "y[...] = gelu(x[...])",
    "sigmoid": "y[...] = sigmoid(x[...])",
    "halved": "given x[...], by\ny[...] = x[...] * by",
    "square": "y[...] = x[...] ** 2 * 0.25",
    "add": "y[...] = a[...] + b[...]",
    "blend": "y[...] = 0.5 * a[...] - 0.25 * b[...]",
    "product": "y[...] = tanh(a[...]) * b[...]",
    "softmax": "m[i] = max(j) x[i, j]\ne[i, j] = exp(x[i, j] - m[i])\ns[i] = sum(j) e[i, j]\ny[i, j] = e[i, j] / s[i]",
    "norm": "given x[i, j], g[j]\nq[i] = mean(j) x[i, j] ** 2\ny[i, j] = x[i, j] * rsqrt(q[i] + 0.01) * g[j]",
    "layer_norm": (
        "given x[i, j], g[j]\nm[i] = mean(j) x[i, j]\nc[i, j] = x[i, j] - m[i]\nv[i] = mean(j) c[i, j] ** 2\n"
        "y[i, j] = c[i, j] * rsqrt(v[i] + 0.01) * g[j]"
    ),
    "standard": "m[j] = mean(i) x[i, j]\ny[i, j] = x[i, j] - m[j]",
    "columns": "s[j] = mean(i) x[i, j]",
    "rows": "s[i] = mean(j) x[i, j]",
    "by_row": "given x[i, j], s[i]\ny[i, j] = x[i, j] - 0.5 * s[i]",
    "bias": "given x[i, j], b[j]\ny[i, j] = x[i, j] + b[j]",
    "transpose": "y[j, i] = x[i, j]",
    "copy": "y[...] = x[...]",
    "reversed": "given x[i, j]\ny[k < size(i), j] = x[size(i) - 1 - k, j]",
    "shifted": "y[i, j] = x[i, j - 1]",
    "causal": "y[i, j] = where(j <= i, x[i, j], -1.0)",
    "matmul": "given a[m, k], b[k, n]\nc[m, n] = sum(k) a[m, k] * b[k, n] / f32(size(k))",
    "running": "h[i, t] = scan(t) 0.5 * h[i, t - 1] + x[i, t]",
    "loss": "loss = mean(i, j) x[i, j] ** 2",
}


@dataclass(frozen=True, slots=True)
class DrawnGraph:
    """A function of tensors, its arguments, the ops that it calls in order, and whether it takes gradients."""

    function: Callable[..., Any]
    arguments: dict[str, NDArray[np.float32]]
    ops: tuple[str, ...]
    gradients: bool


UNARY = ("tanh", "relu", "gelu", "sigmoid", "halved", "square", "copy")
MATRIX = ("softmax", "norm", "layer_norm", "standard", "bias", "by_row", "reversed", "shifted", "causal", "running")
BINARY = ("add", "blend", "product")


def draw_graph(seed: int) -> DrawnGraph:
    """The graph of a number: the same on every machine."""
    rng = np.random.default_rng(seed)
    rows, columns = (int(rng.choice(SIZES)) for _ in range(2))
    steps = [step(rng) for _ in range(int(rng.integers(2, 41)))]
    gradients = bool(rng.integers(0, 2))
    arguments = {
        "x": rng.normal(size=(rows, columns)).astype(np.float32),
        "w": rng.normal(size=(columns, columns)).astype(np.float32),
        "g": rng.normal(size=columns).astype(np.float32),
    }

    def function(x: Tensor, w: Tensor, g: Tensor) -> dict[str, Any]:
        made_so_far = [x]
        for kind, first, second in steps:
            made_so_far.append(applied(kind, made_so_far, first, second, w, g))
        last = made_so_far[-1]
        found: dict[str, Any] = {"y": last}
        if steps[0][1] % 3 == 0:
            found["middle"] = made_so_far[len(made_so_far) // 2]
        if gradients:
            loss = op("loss")(last)
            found |= {"loss": loss, "d": grad(loss, reached(loss, {"x": x, "w": w, "g": g}))}
        return found

    return DrawnGraph(function, arguments, tuple(k for k, _, _ in steps), gradients)


def step(rng: np.random.Generator) -> tuple[str, int, int]:
    """An op and the numbers that choose what it reads."""
    family = rng.choice(["unary", "matrix", "binary", "matmul", "transpose twice"], p=[0.4, 0.3, 0.2, 0.06, 0.04])
    kinds = {"unary": UNARY, "matrix": MATRIX, "binary": BINARY}.get(str(family), (str(family),))
    return str(rng.choice(kinds)), int(rng.integers(0, 1000)), int(rng.integers(0, 1000))


def op(name: str) -> Any:
    return made(f"drawn_{name}", FORMULAS[name])


def applied(kind: str, before: list[Tensor], first: int, second: int, w: Tensor, g: Tensor) -> Tensor:
    """A step on tensors that are there: the last one, more often than another."""
    x = before[-1] if first % 4 else before[first % len(before)]
    other = before[second % len(before)]
    match kind:
        case "halved":
            return op(kind)(x, by=0.5 + second / 1000)
        case "add" | "blend" | "product":
            return op(kind)(x, other)
        case "norm" | "layer_norm" | "bias":
            return op(kind)(x, g if second % 2 else op("columns")(other))
        case "by_row":
            return op(kind)(x, op("rows")(other))
        case "matmul":
            return op(kind)(x, w)
        case "transpose twice":
            return op("transpose")(op("tanh")(op("transpose")(x)))
        case _:
            return op(kind)(x)


def reached(loss: Tensor, wanted: dict[str, Tensor]) -> dict[str, Tensor]:
    """Those that the loss depends on."""
    used = {t.source for c in calls_of([loss]) for t in c.tensors.values()}
    return {n: t for n, t in wanted.items() if t.source in used}
