"""What derived stages divide by: a form that divides by something new may be infinite where the derivative is not.

y[i] = c[i] * g[i]      d_g[i] = c[i] * d_y[i], never y[i] * d_y[i] / g[i], which is nothing where g is 0
"""

from __future__ import annotations

from collections.abc import Collection

from shaderdsl.spec.notation import Number, Operation, Operator, OpSpec, Parameter, Read, Scalar
from shaderdsl.spec.rewrite import subscalars


def divisors(spec: OpSpec, known: Collection[str]) -> set[str]:
    """The tensors and parameters that stand below a bar, in the stages that are not `known`."""
    values = [v for s in spec.stages if s.targets[0].name not in known for v in s.values]
    return {name for v in values for part in subscalars(v) for name in below(part)}


def below(part: Scalar) -> set[str]:
    """The names that an operation divides by."""
    match part:
        case Operation(Operator.DIV, (_, under)):
            return names_in(under)
        case Operation(Operator.POW, (base, Number(exponent))) if exponent < 0:
            return names_in(base)
        case _:
            return set()


def names_in(scalar: Scalar) -> set[str]:
    found = {s.tensor for s in subscalars(scalar) if isinstance(s, Read)}
    return found | {s.name for s in subscalars(scalar) if isinstance(s, Parameter)}
