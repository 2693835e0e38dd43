"""The scalar execution cases of the conformance data, grouped so that numpy runs each group at once."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Scalar
from shaderdsl.numeric.builtins import call
from shaderdsl.numeric.convert import bitcast, convert
from shaderdsl.numeric.operators import binary, unary
from shaderdsl.numeric.values import DTYPES, Array

SCALARS: dict[str, Scalar] = {str(scalar): scalar for scalar in (BOOL, I32, U32, F32, F16)}
BUILTINS = {builtin.value: builtin for builtin in Builtin} | {"inversesqrt": Builtin.INVERSE_SQRT}
MEMBERS = {"f32_fract": 0, "f32_exp": 1, "f32_whole": 1}

OPERATORS: dict[str, BinaryOp] = {
    "bitwise_and": BinaryOp.AND,
    "bitwise_or": BinaryOp.OR,
    "bitwise_exclusive_or": BinaryOp.XOR,
    "shift_left_concrete": BinaryOp.SHL,
    "shift_right_concrete": BinaryOp.SHR,
    "and": BinaryOp.AND,
    "or": BinaryOp.OR,
    "and_short_circuit": BinaryOp.LOGICAL_AND,
    "or_short_circuit": BinaryOp.LOGICAL_OR,
    "equals": BinaryOp.EQ,
    "not_equals": BinaryOp.NE,
    "greater_equals": BinaryOp.GE,
    "greater_than": BinaryOp.GT,
    "less_equals": BinaryOp.LE,
    "less_than": BinaryOp.LT,
    "addition": BinaryOp.ADD,
    "subtraction": BinaryOp.SUB,
    "multiplication": BinaryOp.MUL,
    "division": BinaryOp.DIV,
    "remainder": BinaryOp.REM,
    "f32_addition": BinaryOp.ADD,
    "f32_subtraction": BinaryOp.SUB,
    "f32_multiplication": BinaryOp.MUL,
    "f32_division": BinaryOp.DIV,
    "f32_remainder": BinaryOp.REM,
}


@dataclass(slots=True)
class Group:
    """Cases of one operation on one list of types."""

    operation: str
    test: str
    result: Scalar
    types: tuple[Scalar, ...]
    arguments: list[list[Any]] = field(default_factory=list[list[Any]])
    intervals: list[list[list[Any]]] = field(default_factory=list[list[list[Any]]])

    def columns(self) -> list[Array]:
        """The arguments as one array a parameter."""
        return [column(values, scalar) for values, scalar in zip(zip(*self.arguments, strict=True), self.types)]


def column(values: tuple[Any, ...], scalar: Scalar) -> Array:
    """Values of the data ("nan", "-0" and so on among them) in the type's dtype, exactly."""
    if scalar in (F32, F16):
        return np.array([float(value) for value in values]).astype(DTYPES[scalar])
    return np.array(values).astype(DTYPES[scalar])


def data_folder() -> Path:
    """Where the conformance data lie; a missing folder is a failure, never a skip."""
    default = Path(__file__).parents[2].parent / "shared" / "data"
    folder = Path(os.environ.get("SHADERDSL_DATA", default))
    assert folder.is_dir(), f"the conformance data are not in {folder}: set SHADERDSL_DATA to their folder"
    return folder


def load() -> list[Group]:
    """All cases, grouped by operation, test and types."""
    cases = json.loads(gzip.decompress((data_folder() / "scalar_execution.json.gz").read_bytes()))
    groups: dict[tuple[str, str, str, tuple[str, ...]], Group] = {}
    for operation, test, result, arguments, intervals in cases:
        names = tuple(name for name, _ in arguments)
        key = (operation, test, result, names)
        if key not in groups:
            groups[key] = Group(operation, test, SCALARS[result], tuple(SCALARS[name] for name in names))
        groups[key].arguments.append([value for _, value in arguments])
        groups[key].intervals.append(intervals)
    return list(groups.values())


def evaluate(group: Group) -> Array:
    """What numeric makes of a group's arguments."""
    columns = group.columns()
    meaning = meaning_of(group)
    return meaning(columns)


def meaning_of(group: Group) -> Callable[[list[Array]], Array]:
    """The function of numeric that a group tests."""
    family, _, kind = group.operation.partition(",")
    source, target = group.types[0], group.result
    if family == "binary":
        name = group.test.removesuffix("_compound")
        op = OPERATORS[kind if name == "scalar" else name]
        return lambda columns: binary(op, columns[0], columns[1], group.types[0], group.types[1])
    if kind == "address_of_and_indirection":
        return lambda columns: columns[0]
    if kind.endswith("_conversion"):
        return lambda columns: convert(columns[0], source, target)
    if family == "bitcast":
        return lambda columns: bitcast(columns[0], source, target)
    if family == "unary":
        op = {"negation": UnaryOp.NEGATE}.get(group.test, UnaryOp.COMPLEMENT)
        return lambda columns: unary(UnaryOp.NOT if source == BOOL else op, columns[0], source)
    return lambda columns: call_member(group, columns)


def call_member(group: Group, columns: list[Array]) -> Array:
    """A builtin's value, or the member of its structure that the group tests."""
    value = call(BUILTINS[group.operation], columns, group.types, group.result)
    if isinstance(value, tuple):
        member = value[MEMBERS[group.test]]
        assert not isinstance(member, tuple)
        return member
    return value


def failures(group: Group, results: Array) -> list[str]:
    """The cases whose result lies in none of its intervals, as text."""
    rows = zip(group.arguments, results.tolist(), group.intervals, strict=True)
    return [
        f"{group.operation} {group.test}({arguments}) = {result!r}, not in {intervals}"
        for arguments, result, intervals in rows
        if not any(inside(result, low, high) for low, high in intervals)
    ]


def inside(result: Any, low: Any, high: Any) -> bool:
    """Whether a result lies in [low, high]; a NaN only where NaN is asked for."""
    if "nan" in (low, high):
        return result != result
    return float(low) <= float(result) <= float(high)
