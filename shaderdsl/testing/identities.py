"""Identities of gradients, proved over symbols at small sizes.

identity_check("rows sum to 0", softmax, vjp(softmax), hints).ok
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from shaderdsl.spec.derive import differentiable
from shaderdsl.spec.notation import OpSpec
from shaderdsl.testing.proofs import SMALL, settings
from shaderdsl.testing.report import Check
from shaderdsl.testing.samples import Hints
from shaderdsl.testing.symbolic import Term, Terms, exact, proved_zero

Identity = Callable[[OpSpec, OpSpec, Mapping[str, Any]], list[Term]]
"""The terms that must be 0, at some arguments."""


def identity_check(name: str, spec: OpSpec, backward: OpSpec, hints: Hints) -> Check:
    """Whether every term of the identity is proved to be 0, at every small size."""
    left = sum(
        not proved_zero(term)
        for sizes in SMALL
        for arguments in settings(spec, backward, hints, sizes)
        for term in IDENTITIES[name](spec, backward, arguments)
    )
    return Check(name, float(left), 0.0, "algebra does not show it")


def run(spec: OpSpec, arguments: Mapping[str, Any]) -> dict[str, Terms]:
    known = {i.name for i in spec.inputs}
    return {**arguments, **exact(spec, {n: v for n, v in arguments.items() if n in known})}


def turned_back(spec: OpSpec, backward: OpSpec, arguments: Mapping[str, Any]) -> list[Term]:
    """The backward of what the forward gives is the input: a rotation."""
    name = differentiable(spec)[0]
    forward = run(spec, arguments)[spec.outputs[0]]
    back = run(backward, {**arguments, f"d_{spec.outputs[0]}": forward})[backward.outputs[0]]
    return list((back - arguments[name]).flat)


def linear(spec: OpSpec, backward: OpSpec, arguments: Mapping[str, Any]) -> list[Term]:
    """<d_y, f(x)> = <J'd_y, x>: the transpose of a map that is linear in each of its inputs."""
    forward = run(spec, arguments)
    pairing = sum((forward[o] * arguments[f"d_{o}"]).sum() for o in spec.outputs if f"d_{o}" in arguments)
    names, back = differentiable(spec), run(backward, arguments)
    return [pairing - (back[o] * arguments[n]).sum() for n, o in zip(names, backward.outputs)]


def jointly_linear(spec: OpSpec, backward: OpSpec, arguments: Mapping[str, Any]) -> list[Term]:
    """The same of a map that is linear in all inputs together."""
    forward = run(spec, arguments)
    pairing = sum((forward[o] * arguments[f"d_{o}"]).sum() for o in spec.outputs if f"d_{o}" in arguments)
    names, back = differentiable(spec), run(backward, arguments)
    return [pairing - sum((back[o] * arguments[n]).sum() for n, o in zip(names, backward.outputs))]


def rows_to_zero(_: OpSpec, backward: OpSpec, arguments: Mapping[str, Any]) -> list[Term]:
    """Shifting a row changes nothing."""
    return list(np.asarray(run(backward, arguments)[backward.outputs[0]].sum(-1)).flat)


def rows_to_one(spec: OpSpec, backward: OpSpec, arguments: Mapping[str, Any]) -> list[Term]:
    """Shifting a row shifts the result."""
    rows = np.asarray(run(backward, arguments)[backward.outputs[0]].sum(-1))
    return list((rows - arguments[f"d_{spec.outputs[0]}"]).flat)


def radial(spec: OpSpec, backward: OpSpec, arguments: Mapping[str, Any]) -> list[Term]:
    """Without eps, scaling a row changes nothing: the gradient stands at right angles to the row."""
    free = {**arguments, "eps": 0}
    back = run(backward, free)[backward.outputs[0]]
    return list(np.asarray((back * arguments[differentiable(spec)[0]]).sum(-1)).flat)


IDENTITIES: dict[str, Identity] = {
    "turns back": turned_back,
    "transpose of each": linear,
    "transpose": jointly_linear,
    "rows sum to 0": rows_to_zero,
    "rows sum to what comes in": rows_to_one,
    "at right angles": radial,
}
