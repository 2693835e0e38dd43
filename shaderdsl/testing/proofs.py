"""Proofs that two backwards are one: equal over symbols at small sizes, for every whole number and, where kinks stand, every sign.

equivalent(spec, vjp(spec), mutant.spec, hints)      # the identity is the right backward of a sum
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from shaderdsl.errors import ShaderError
from shaderdsl.spec.notation import Dtype, OpSpec, ScalarInput, TensorInput
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.samples import Hints, axis_sizes, draw, limit
from shaderdsl.testing.symbolic import Unproved, exact, proved_zero, symbol, symbols

SMALL: tuple[tuple[int, ...], ...] = ((1,), (1, 2), (2, 1), (1, 1, 2), (2, 1, 1))
MOST_WHOLE, MOST_SIGNS = 81, 16


def equivalent(spec: OpSpec, backward: OpSpec, other: OpSpec, hints: Hints) -> bool:
    """Whether both give the same gradients of `spec` at every small size."""
    try:
        return all(
            same(backward, other, arguments) for sizes in SMALL for arguments in settings(spec, backward, hints, sizes)
        )
    except (ShaderError, Unproved):
        return False


def same(backward: OpSpec, other: OpSpec, arguments: Mapping[str, Any]) -> bool:
    """Equal terms everywhere, else equal for each combination of signs."""
    pairs = list(differing(backward, other, arguments))
    if not pairs:
        return True
    unsettled = {n: np.shape(v) for n, v in arguments.items() if np.asarray(v).dtype == object and np.ndim(v)}
    free = [(n, p) for n, shape in unsettled.items() if not n.startswith("d_") for p in np.ndindex(shape)]
    if 2 ** len(free) > MOST_SIGNS:
        return False
    return all(not list(differing(backward, other, signed(arguments, free, s))) for s in signs(len(free)))


def signs(count: int) -> Iterator[tuple[bool, ...]]:
    return itertools.product((True, False), repeat=count)


def signed(
    arguments: Mapping[str, Any], free: list[tuple[str, tuple[int, ...]]], chosen: tuple[bool, ...]
) -> dict[str, Any]:
    """The arguments with each symbol positive or negative."""
    found: dict[str, Any] = {n: v.copy() if np.ndim(v) else v for n, v in arguments.items()}
    for (name, place), positive in zip(free, chosen):
        sign = {"positive": True} if positive else {"negative": True}
        found[name][place] = symbol(str(found[name][place]), **sign)
    return found


def differing(backward: OpSpec, other: OpSpec, arguments: Mapping[str, Any]) -> Iterator[Any]:
    """Differences that are not proved to be 0."""
    left, right = ({**arguments, **exact(s, arguments)} for s in (backward, other))
    for one, two in zip(backward.outputs, other.outputs):
        if np.shape(left[one]) != np.shape(right[two]):
            yield one
            continue
        yield from (a - b for a, b in zip(left[one].flat, right[two].flat) if not proved_zero(a - b))


def settings(spec: OpSpec, backward: OpSpec, hints: Hints, extents: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    """Symbols for numbers, and every combination of whole numbers."""
    drawn = draw(spec, hints, np.random.default_rng(0), extents)
    sizes = axis_sizes(spec, hints, extents)
    shapes = {o: np.shape(v) for o, v in evaluate(spec, drawn).items() if o in spec.outputs}
    fixed: dict[str, Any] = {f"d_{o}": symbols(f"d_{o}", s) for o, s in shapes.items()}
    choices: list[tuple[str, tuple[int, ...], int]] = []
    for given in spec.inputs:
        if isinstance(given, TensorInput) and given.dtype is not Dtype.F32:
            choices.append((given.name, np.shape(drawn[given.name]), limit(hints.below.get(given.name, 2), sizes)))
        elif isinstance(given, TensorInput):
            assumed = {"positive": True} if given.name in hints.positive else {}
            fixed[given.name] = symbols(given.name, np.shape(drawn[given.name]), **assumed)
        else:
            fixed[given.name] = scalar(given, drawn)
    known = {i.name for i in backward.inputs}
    for whole in whole_numbers(choices):
        yield {n: v for n, v in {**fixed, **whole}.items() if n in known}


def scalar(given: ScalarInput, drawn: Mapping[str, Any]) -> Any:
    """A positive symbol, or the whole number as it is drawn."""
    return symbol(given.name, positive=True) if given.dtype is Dtype.F32 else int(drawn[given.name])


def whole_numbers(choices: list[tuple[str, tuple[int, ...], int]]) -> Iterator[dict[str, Any]]:
    """Every combination of the integer tensors' values."""
    counts = [below for _, shape, below in choices for _ in range(int(np.prod(shape)))]
    total = int(np.prod([float(c) for c in counts])) if counts else 1
    every = itertools.product(*(range(c) for c in counts))
    if total > MOST_WHOLE:
        raise Unproved(f"{total} combinations of whole numbers are too many to try")
    for numbers in every:
        found: dict[str, Any] = {}
        rest = list(numbers)
        for name, shape, _ in choices:
            size = int(np.prod(shape))
            found[name] = np.array(rest[:size], dtype=np.int64).reshape(shape)
            rest = rest[size:]
        yield found
