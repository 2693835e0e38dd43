"""Choices and reductions of bools: `sd.where(x > 0, x, 0)`, `sd.any(v < w)`."""

from __future__ import annotations

from typing import Any

from shaderdsl.errors import KernelTypeError
from shaderdsl.ir.builtins import Builtin
from shaderdsl.lang.functions.kinds import T, beside
from shaderdsl.lang.here import here
from shaderdsl.lang.operate import call
from shaderdsl.lang.scalars import bool_
from shaderdsl.lang.value import Value
from shaderdsl.lang.vectors import BoolVector


def select(
    false_value: T | bool | int | float, true_value: T | bool | int | float, condition: bool_ | BoolVector[Any]
) -> T:
    """`true_value` where the condition holds, else `false_value`: WGSL's order, the false one first. Both are evaluated."""
    if not isinstance(false_value, Value) and not isinstance(true_value, Value):
        raise KernelTypeError(
            "select needs a typed value to choose", here(), hints=["give a number its type: f32(0.5)"]
        )
    if isinstance(false_value, bool_ | BoolVector) and not isinstance(condition, bool | bool_ | BoolVector):
        raise KernelTypeError(
            "select takes its condition last",
            here(),
            hints=["write sd.select(no, yes, condition), or sd.where(condition, yes, no)"],
        )
    return call(Builtin.SELECT, beside(false_value, true_value), beside(true_value, false_value), condition)


def where(condition: bool_ | BoolVector[Any], yes: T | bool | int | float, no: T | bool | int | float) -> T:
    """`yes` where the condition holds, else `no`: numpy's order. Both are evaluated."""
    return select(no, yes, condition)


def all(condition: bool_ | BoolVector[Any]) -> bool_:  # noqa: A001 (WGSL's name)
    """Whether every component holds."""
    return call(Builtin.ALL, condition)


def any(condition: bool_ | BoolVector[Any]) -> bool_:  # noqa: A001 (WGSL's name)
    """Whether some component holds."""
    return call(Builtin.ANY, condition)
