"""Expressions over lanes: numeric's meaning of each operation, applied to values whose first axis is the lane."""

from __future__ import annotations

from typing import Any, assert_never, cast

import numpy as np

from shaderdsl.errors import InternalError
from shaderdsl.interp import places
from shaderdsl.interp.lanes import Lanes
from shaderdsl.ir.expr import (
    Binary,
    Bitcast,
    Call,
    Const,
    Construct,
    Convert,
    Element,
    Expr,
    Load,
    Member,
    Read,
    ReadInput,
    ReadParam,
    Swizzle,
    Unary,
)
from shaderdsl.ir.types import Array, Matrix, Scalar, Struct, Type, Vector
from shaderdsl.numeric.builtins import call
from shaderdsl.numeric.convert import bitcast, convert
from shaderdsl.numeric.host import Memory, base_dtype
from shaderdsl.numeric.operators import binary, unary


def evaluate(lanes: Lanes, expr: Expr) -> Any:
    """The value of an expression for every lane, active or not."""
    match expr:
        case Const(value, type):
            return np.array([value], base_dtype(type))
        case Read(slot):
            return lanes.values[slot]
        case ReadInput(source):
            return lanes.input(source)
        case ReadParam(name):
            return lanes.params[name]
        case Load(place):
            return places.load(places.resolve(lanes, place, lambda e: evaluate(lanes, e)))
        case Unary(op, operand):
            return unary(op, evaluate(lanes, operand), operand.type)
        case Binary(op, left, right):
            return binary(op, evaluate(lanes, left), evaluate(lanes, right), left.type, right.type)
        case Call(builtin, arguments, type):
            return call(builtin, [evaluate(lanes, a) for a in arguments], [a.type for a in arguments], type)
        case Convert(operand, type):
            return convert(evaluate(lanes, operand), operand.type, type)
        case Bitcast(operand, type):
            return bitcast(evaluate(lanes, operand), operand.type, type)
        case Construct(arguments, type):
            return construct([evaluate(lanes, a) for a in arguments], [a.type for a in arguments], type)
        case Swizzle(operand, components):
            value = evaluate(lanes, operand)
            return value[..., components[0]] if len(components) == 1 else value[..., list(components)]
        case Member(operand, name):
            return member(evaluate(lanes, operand), operand.type, name)
        case Element(operand, index):
            return element(evaluate(lanes, operand), evaluate(lanes, index))
        case _:
            assert_never(expr)


def construct(parts: list[Any], types: list[Type], type: Type) -> Any:
    """A vector, matrix, array or structure from its parts, broadcast over lanes."""
    match type:
        case Struct():
            return tuple(parts)
        case Vector(size, _):
            columns = [p if isinstance(t, Vector) else p[..., np.newaxis] for p, t in zip(parts, types)]
            joined = concatenate(columns)
            return np.repeat(joined, size, axis=-1) if joined.shape[-1] == 1 else joined
        case Matrix(columns, rows, _):
            if isinstance(types[0], Scalar):
                flat = concatenate([p[..., np.newaxis] for p in parts])
                return flat.reshape(*flat.shape[:-1], columns, rows)
            return stack(parts)
        case Array():
            return stack(parts)
        case _:
            raise InternalError(f"construct of {type}")


def concatenate(parts: list[Any]) -> Any:
    """Components side by side, over as many lanes as any of them has."""
    lanes = max(p.shape[0] for p in parts)
    return np.concatenate([np.broadcast_to(p, (lanes, *p.shape[1:])) for p in parts], axis=-1)


def stack(parts: list[Any]) -> Any:
    """Values along a new axis after the lane; structures part by part."""
    first: Memory = parts[0]
    if isinstance(first, tuple):
        return tuple(stack([p[i] for p in parts]) for i in range(len(first)))
    return np.stack(np.broadcast_arrays(*parts), axis=1)


def member(value: Any, type: Type, name: str) -> Any:
    if not isinstance(type, Struct):
        raise InternalError(f"member of {type}")
    return value[next(i for i, m in enumerate(type.members) if m.name == name)]


def element(value: Any, index: Any) -> Any:
    """`value[index]` lane by lane; out of range gives zero."""
    if isinstance(value, tuple):
        return tuple(element(part, index) for part in cast("tuple[Any, ...]", value))
    extent = value.shape[1]
    position = np.asarray(index).astype(np.int64)
    lanes = max(value.shape[0], position.shape[0])
    rows = np.zeros(lanes, np.int64) if value.shape[0] == 1 else np.arange(lanes, dtype=np.int64)
    position = np.broadcast_to(position, (lanes,))
    outside = (position < 0) | (position >= extent)
    found = value[rows, np.where(outside, 0, position)]
    if outside.any():
        found[outside] = 0
    return found
