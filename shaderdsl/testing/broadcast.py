"""Arguments that are broadcast against longer ones: a formula without those axes of 1, beside functions and ops that have them.

leads = leads_of(f.spec, {"x": (4, 5), "bias": (1, 5)})
with_leads(f.spec, leads)             # reads bias[b2]
Whole(f, leads.ones)(x=x, bias=b)     # f(x=x, bias=b[None])
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shaderdsl.spec.adjoint import gradient_name
from shaderdsl.spec.leading import Leads, Lengths, Ones, has_leads, leads_of, with_leads
from shaderdsl.spec.notation import OpSpec
from shaderdsl.testing.devices import Runs, by_name
from shaderdsl.testing.handwritten import by_input


def squeezed(array: Any, places: Sequence[int]) -> Any:
    """Without some axes of 1; one of another shape stays as it is, and is wrong."""
    fits = all(np.ndim(array) >= -p and np.shape(array)[p] == 1 for p in places)
    return np.squeeze(array, tuple(places)) if places and fits else array


def expanded(arguments: Mapping[str, Any], ones: Ones) -> dict[str, Any]:
    """Arrays with their axes of 1."""
    return {n: np.expand_dims(a, ones[n]) if n in ones else a for n, a in arguments.items()}


def with_gradients(ones: Ones) -> Ones:
    """Also those of the gradients, which have the shapes of what they belong to."""
    return {**ones, **{gradient_name(n): places for n, places in ones.items()}}


def whole_function(own: Callable[..., Any], names: Sequence[str], ones: Ones) -> Callable[..., Any]:
    """A backward that takes and gives arrays with those axes, for arrays without them. names: the inputs with gradients."""
    if not ones:
        return own
    places = with_gradients(ones)

    @functools.wraps(own)
    def backward(**arguments: Any) -> dict[str, Any]:
        found = by_input(own(**expanded(arguments, places)), names)
        return {n: squeezed(a, places.get(n, ())) for n, a in found.items()}

    return backward


def plain_backward(own: OpSpec, leads: Leads, shapes: Mapping[str, Lengths]) -> OpSpec:
    """A backward written with `...`, for the same arguments."""
    if not has_leads(own):
        return own
    incoming: dict[str, Lengths] = {gradient_name(n): (None,) * rank for n, rank in leads.ranks.items()}
    return with_leads(own, leads_of(own, {**incoming, **shapes}))


@dataclass(frozen=True, slots=True)
class Whole:
    """An op that takes and gives arrays with those axes, for arrays without them."""

    op: Runs
    ones: Ones

    @property
    def spec(self) -> OpSpec:
        return self.op.spec

    @property
    def vjp(self) -> Runs:
        return Whole(self.op.vjp, with_gradients(self.ones))

    @property
    def with_saved(self) -> Runs:
        return Whole(self.op.with_saved, self.ones)

    def spec_at(self, shapes: Mapping[str, Lengths], /) -> OpSpec:
        """The spec for arrays whose shapes lack those axes."""
        empty = {n: np.empty([1 if k is None else k for k in shape]) for n, shape in shapes.items()}
        return self.op.spec_at({n: np.shape(a) for n, a in expanded(empty, self.ones).items()})

    def __call__(self, *, device: str | None = None, **arguments: Any) -> Any:
        found = by_name(self.op(device=device, **expanded(arguments, self.ones)), self.op.spec.outputs)
        return {n: squeezed(a, self.ones.get(n, ())) for n, a in found.items()}
