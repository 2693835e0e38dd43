"""Python's operators on tensors: each is an op with a formula, derived as any other.

operate("mul", x, 2.0)      # x * 2.0: scale; of two tensors: mul, broadcast as numpy
"""

from __future__ import annotations

from functools import cache
from typing import Any

from shaderdsl.operation import Op, op

BETWEEN = {
    "add": "y[...] = a[...] + b[...]",
    "sub": "y[...] = a[...] - b[...]",
    "mul": "y[...] = a[...] * b[...]",
    "div": "y[...] = a[...] / b[...]",
    "matmul": "c[m, n] = sum(k) a[m, k] * b[k, n]",
    "neg": "y[...] = -a[...]",
}
BY_NUMBER = {
    "add": "given a[...], b\ny[...] = a[...] + b",
    "sub": "given a[...], b\ny[...] = a[...] - b",
    "mul": "given a[...], b\ny[...] = a[...] * b",
    "div": "given a[...], b\ny[...] = a[...] / b",
}
OF_NUMBER = {
    "add": "given a, b[...]\ny[...] = a + b[...]",
    "sub": "given a, b[...]\ny[...] = a - b[...]",
    "mul": "given a, b[...]\ny[...] = a * b[...]",
    "div": "given a, b[...]\ny[...] = a / b[...]",
}


def operate(name: str, *operands: Any) -> Any:
    """An operator applied; NotImplemented where an operand is neither a tensor nor a number."""
    tensors = [hasattr(o, "shape") and bool(o.shape or hasattr(o, "source")) for o in operands]
    if not all(tensors) and name == "matmul":
        return NotImplemented
    table = BETWEEN if all(tensors) else BY_NUMBER if tensors[0] else OF_NUMBER
    return made(name, table[name])(*operands)


@cache
def made(name: str, formula: str) -> Op:
    """The op of an operator, made once."""
    return op(name, formula)
