"""The chain rule: the backward of one op after another is both backwards, one after the other.

    pool = [one for spec, hints in ops for one in links(spec, hints)]
    chain_rule("softmax", pool, 4).ok               # softmax with four of the others, before or after it

Every axis is as long as every other, so that what one op gives is what the next takes wherever the ranks agree.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from shaderdsl.errors import ShaderError
from shaderdsl.spec.derive import differentiable, vjp
from shaderdsl.spec.leading import specialise
from shaderdsl.spec.notation import Dtype, OpSpec, ScalarInput, TensorInput
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.report import Check
from shaderdsl.testing.samples import Array, Hints, draw, limit, normal

LIMIT = 1e-10
LENGTHS = (1, 2, 3, 4)
RANKS = (1, 2, 3)
PARTNERS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """An op at one rank. takes: the rank of its first input, None where no gradient comes back through that. gives: the rank of its
    result. lengths: how long every axis may be for the result to be as long too."""

    spec: OpSpec
    hints: Hints
    takes: int | None
    gives: int
    lengths: tuple[int, ...]


def links(spec: OpSpec, hints: Hints) -> list[Link]:
    """An op of one result at every rank that its first input may have."""
    first = next((i for i in spec.inputs if isinstance(i, TensorInput)), None)
    if first is None or len(spec.outputs) > 1 or not differentiable(spec):
        return []
    ranks = [r for r in RANKS if r >= len(first.axes)] if first.leading else [len(first.axes)]
    found = (at_rank(spec, hints, first, rank) for rank in ranks)
    return [one for one in found if one is not None]


def at_rank(spec: OpSpec, hints: Hints, first: TensorInput, rank: int) -> Link | None:
    """The op with as many leading axes as its first input needs."""
    leading = rank - len(first.axes)
    plain = specialise(
        spec, {i.name: len(i.axes) + leading * i.leading for i in spec.inputs if isinstance(i, TensorInput)}
    )
    shapes = {n: shape for n in LENGTHS if (shape := result_shape(plain, hints, n)) is not None}
    lengths = tuple(n for n, shape in shapes.items() if all(extent == n for extent in shape))
    if not lengths:
        return None
    open_end = first.dtype is Dtype.F32 and first.name not in hints.positive and plain.inputs[0] is plain_first(plain)
    return Link(plain, hints, rank if open_end else None, len(shapes[lengths[0]]), lengths)


def plain_first(spec: OpSpec) -> TensorInput | None:
    return next((i for i in spec.inputs if isinstance(i, TensorInput)), None)


def result_shape(spec: OpSpec, hints: Hints, length: int) -> tuple[int, ...] | None:
    """The shape of the result where every axis is `length` long; None where the op is not there."""
    if any(length % of for of in hints.sizes.values() if isinstance(of, int)):
        return None
    try:
        arguments = draw(spec, at_length(hints, length, ""), np.random.default_rng(0), (length,))
        return np.shape(evaluate(spec, arguments)[spec.outputs[0]])
    except ShaderError:
        return None


def at_length(hints: Hints, length: int, prefix: str) -> Hints:
    """The hints for axes of one length, by the names of a composed formula."""
    axes = dict.fromkeys((str(b).partition(" ")[0] for b in hints.below.values()), length)
    return Hints(
        {prefix + n: v for n, v in hints.scalars.items()},
        below={prefix + n: limit(b, axes) for n, b in hints.below.items()},
        positive=tuple(prefix + n for n in hints.positive),
    )


def chain_rule(name: str, pool: Sequence[Link], count: int = PARTNERS, seed: int = 0) -> Check | None:
    """An op with some of the pool after or before it, the same ones each time; None where nothing fits."""
    pairs = [p for one in pool if one.spec.name == name for two in pool for p in fitting(one, two)]
    by_names = {f"{outer.spec.name} after {inner.spec.name}": (inner, outer) for inner, outer in pairs}
    order = sorted(by_names, key=lambda names: zlib.crc32(f"{name}: {names}".encode()))
    chosen = list(itertools.islice((names for names in order if callable_together(*by_names[names])), count))
    if not chosen:
        return None
    random = np.random.default_rng((seed, 3, zlib.crc32(name.encode())))
    worst = max(composition_error(*by_names[names], random) for names in chosen)
    return Check(f"chain rule: {', '.join(chosen)}", worst, LIMIT, "the chain rule does not hold")


def callable_together(inner: Link, outer: Link) -> bool:
    """Whether one formula can call both: sizes that a called one takes by name must mean the same axes."""
    try:
        composed(inner.spec, outer.spec)
    except ShaderError:
        return False
    return True


def fitting(one: Link, two: Link) -> list[tuple[Link, Link]]:
    """Both orders, as far as they fit."""
    return [
        (inner, outer)
        for inner, outer in ((one, two), (two, one))
        if inner.gives == outer.takes and set(inner.lengths) & set(outer.lengths)
    ]


def composition_error(inner: Link, outer: Link, random: np.random.Generator) -> float:
    """The relative difference of the two ways to the gradients."""
    both = composed(inner.spec, outer.spec)
    lengths = [n for n in inner.lengths if n in outer.lengths]
    length = lengths[int(random.integers(len(lengths)))]
    first, then = at_length(inner.hints, length, "f_"), at_length(outer.hints, length, "g_")
    hints = Hints(
        {**first.scalars, **then.scalars},
        below={**first.below, **then.below},
        positive=(*first.positive, *then.positive),
    )
    arguments = draw(both, hints, random, (length,))
    values = evaluate(both, arguments)
    weight = normal(random, np.shape(values["z"]))
    at_once = gradients(both, {**arguments, "d_z": weight})
    own = {i.name: arguments[f"f_{i.name}"] for i in inner.spec.inputs}
    rest = {i.name: values["m"] if n == 0 else arguments[f"g_{i.name}"] for n, i in enumerate(outer.spec.inputs)}
    last = gradients(outer.spec, {**rest, f"d_{outer.spec.outputs[0]}": weight})
    back = last.pop(outer.spec.inputs[0].name)
    start = gradients(inner.spec, {**own, f"d_{inner.spec.outputs[0]}": back})
    in_turn = {**{f"f_{n}": g for n, g in start.items()}, **{f"g_{n}": g for n, g in last.items()}}
    return max(relative(at_once[n], in_turn[n]) for n in at_once)


def composed(inner: OpSpec, outer: OpSpec) -> OpSpec:
    """`z = g(f(..), ..)`: the inputs of f after `f_`, all but the first of g after `g_`."""
    first = [given(i, "f_") for i in inner.inputs]
    rest = [given(i, "g_") for i in outer.inputs[1:]]
    f_names = ", ".join(f"f_{i.name}" for i in inner.inputs)
    g_names = ", ".join(["m", *(f"g_{i.name}" for i in outer.inputs[1:])])
    formula = f"given {', '.join([*first, *rest])}\nm = inner({f_names})\nz = outer({g_names})"
    return parse_spec(f"{outer.name}_after_{inner.name}", formula, {"inner": inner, "outer": outer})


def given(tensor: TensorInput | ScalarInput, prefix: str) -> str:
    """An input of the composed formula; axes of one name in both ops are as long as all others."""
    dtype = f": {tensor.dtype.value}" if tensor.dtype.value != "f32" else ""
    if isinstance(tensor, ScalarInput):
        return f"{prefix}{tensor.name}{dtype}"
    axes = ", ".join(axis or f"{prefix}{tensor.name}_{n}" for n, axis in enumerate(tensor.axes))
    return f"{prefix}{tensor.name}[{axes}]{dtype}"


@lru_cache(maxsize=512)
def backward_of(spec: OpSpec) -> OpSpec:
    return vjp(spec)


def gradients(spec: OpSpec, arguments: Mapping[str, Any]) -> dict[str, Array]:
    backward = backward_of(spec)
    found = {**arguments, **evaluate(backward, arguments)}
    return {n: np.asarray(found[o]) for n, o in zip(differentiable(spec), backward.outputs)}


def relative(found: Array, expected: Array) -> float:
    if np.shape(found) != np.shape(expected):
        return float("inf")
    scale = max(float(np.max(np.abs(expected), initial=0.0)), 1e-3)
    error = float(np.max(np.abs(found - expected), initial=0.0)) / scale
    return error if error == error else float("inf")
