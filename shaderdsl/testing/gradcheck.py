"""`sd.gradcheck`: whether a backward is the derivative of its op, for a formula, a hand-written kernel or any function.

report = sd.gradcheck(softmax)                                     # the derived backward
report = sd.gradcheck(softmax, backward=my_kernel, x=x)            # one's own, at one's own arguments
report.ok, print(report)
"""

from __future__ import annotations

import importlib
from typing import Any

from shaderdsl.testing.report import Report


def gradcheck(f: Any, backward: Any = None, seed: int = 0, device: str | None = None, **inputs: Any) -> Report:
    """Check the derived backward of an op, or one's own.

    f: an op. backward: an op or a spec, or a function that takes the inputs and the `d_` of each output by name and returns gradients:
    by input name, one array, or several in the order of the float inputs. device: also hold the op to its formula there. inputs:
    arguments by name; those left out are drawn. `report.ok`, `report.failures`, `print(report)`.
    """
    # sympy, which changes the filters of warnings, loads when something is checked and not with the name.
    check_op: Any = importlib.import_module("shaderdsl.testing.check_op")
    return check_op.check_op(f, backward, seed, device, inputs)
