"""Backwards of formulas of the literature: against central differences, forward mode, their own text, and once more for second derivatives."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import time
from functools import cache
from typing import Any

import numpy as np
import pytest

from codegen_tests.spec.differences import differences, relative
from codegen_tests.spec.zoo_all import DECLARED, REFUSED, SMOOTH, ZOO, op_of, spec_of
from shaderdsl.errors import SpecError
from shaderdsl.spec.derive import differentiable, vjp
from shaderdsl.spec.forward import jvp
from shaderdsl.spec.leading import specialise
from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate

TIGHT, LOOSE = 2e-6, 1e-5
SLOWEST = 5.0
"""Seconds that one derivation may take."""
TWICE = (
    "mish",
    "glu",
    "snake",
    "squash_capsule",
    "huber",
    "info_nce",
    "label_smoothing",
    "dice",
    "batch_norm",
    "group_norm",
    "geometric_mean",
    "softmax_over_two",
    "conv2d_stride",
    "conv_transpose1d",
    "pixel_shuffle",
    "linear_upsampling",
    "alibi",
    "retention",
    "relative_bias",
    "min_gru_start",
    "cumulative_logsumexp",
    "two_state_forward",
    "rank_five",
    "kernel_of_itself",
    "cross_product",
    "n_body",
    "spherical_harmonics",
    "top_one_gate",
    "segment_sum",
    "sort_by_ranks",
    "block_of_calls",
    "adam",
)


def drawn(name: str, size: int) -> dict[str, Any]:
    return ZOO[name].draw(np.random.default_rng(size), size)


@cache
def plain(name: str) -> OpSpec:
    """A formula at the ranks of drawn arguments."""
    return specialise(spec_of(name), {k: np.ndim(v) for k, v in drawn(name, 2).items()})


@cache
def derived(name: str) -> OpSpec:
    """Its backward, in little time."""
    spec = plain(name)
    began = time.process_time()
    backward = vjp(spec)
    assert time.process_time() - began < SLOWEST
    return backward


def weighted(spec: OpSpec, backward: OpSpec, arguments: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Random weights of the outputs, and the arguments of the backward."""
    random, values = np.random.default_rng(9), evaluate(spec, arguments)
    weights = {o: random.normal(size=np.shape(values[o])) for o in spec.outputs}
    taken = {i.name for i in backward.inputs}
    return weights, {**arguments, **{f"d_{o}": w for o, w in weights.items() if f"d_{o}" in taken}}


def gradients(spec: OpSpec, backward: OpSpec, given: dict[str, Any]) -> dict[str, Any]:
    values = evaluate(backward, given)
    return {n: values[o] for n, o in zip(differentiable(spec), backward.outputs)}


def close(found: Any, expected: Any, tight: float) -> bool:
    return found.shape == expected.shape and (
        relative(found, expected) < tight or float(np.abs(found - expected).max(initial=0.0)) < 1e-8
    )


@pytest.mark.parametrize("name", sorted(set(SMOOTH) - DECLARED))
def test_gradients_are_those_of_central_differences(name: str) -> None:
    for size in (1, 3):
        spec, backward, arguments = plain(name), derived(name), drawn(name, size)
        weights, given = weighted(spec, backward, arguments)
        for argument, gradient in gradients(spec, backward, given).items():
            assert close(gradient, differences(spec, arguments, argument, weights), TIGHT), (argument, size)


@pytest.mark.parametrize("name", SMOOTH)
def test_forward_and_reverse_mode_agree(name: str) -> None:
    """<v, Jw> = <J'v, w>; and both texts parse back."""
    spec, backward, arguments = plain(name), derived(name), drawn(name, 2)
    forward = jvp(spec)
    for made in (backward, forward):
        assert parse_spec(made.name, format_spec(made)) == made
    weights, given = weighted(spec, backward, arguments)
    random = np.random.default_rng(3)
    directions = {n: random.normal(size=np.shape(arguments[n])) for n in differentiable(spec)}
    tangents = evaluate(forward, {**arguments, **{f"t_{n}": d for n, d in directions.items()}})
    found = gradients(spec, backward, given)
    left = sum((tangents[f"t_{o}"] * w).sum() for o, w in weights.items() if f"t_{o}" in tangents)
    right = sum((found[n] * d).sum() for n, d in directions.items())
    assert abs(left - right) < 1e-8 * (1 + abs(left))


@pytest.mark.parametrize("name", TWICE)
def test_a_backward_derives_again(name: str) -> None:
    spec, backward, arguments = plain(name), derived(name), drawn(name, 2)
    second = vjp(backward)
    assert parse_spec(second.name, format_spec(second)) == second
    _, given = weighted(spec, backward, arguments)
    weights, once_more = weighted(backward, second, given)
    for argument, gradient in gradients(backward, second, once_more).items():
        assert close(gradient, differences(backward, given, argument, weights), LOOSE), argument


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_derivative_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match=REFUSED[name]):
        assert op_of(name).vjp.spec
