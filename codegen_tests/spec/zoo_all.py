"""All the animals, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pytest

from codegen_tests.spec.zoo import Animal
from codegen_tests.spec.zoo_activations import ACTIVATIONS
from codegen_tests.spec.zoo_algebra import ALGEBRA
from codegen_tests.spec.zoo_attention import ATTENTION
from codegen_tests.spec.zoo_convolutions import CONVOLUTIONS
from codegen_tests.spec.zoo_indices import INDICES
from codegen_tests.spec.zoo_losses import LOSSES
from codegen_tests.spec.zoo_norms import NORMS
from codegen_tests.spec.zoo_optimisers import OPTIMISERS
from codegen_tests.spec.zoo_physics import PHYSICS
from codegen_tests.spec.zoo_recurrences import RECURRENCES
from shaderdsl.operation import Op, op
from shaderdsl.spec.notation import Dtype, OpSpec, TensorInput
from shaderdsl.spec.parse import parse_spec

FAMILIES: tuple[Mapping[str, Animal], ...] = (
    ACTIVATIONS,
    ALGEBRA,
    ATTENTION,
    CONVOLUTIONS,
    INDICES,
    LOSSES,
    NORMS,
    OPTIMISERS,
    PHYSICS,
    RECURRENCES,
)
ZOO: dict[str, Animal] = {name: case for family in FAMILIES for name, case in family.items()}

REFUSED: dict[str, str] = {
    "signed_root": "sign has no derivative",
    "search_sorted": "it gives whole numbers or conditions",
    "count_true": "it gives whole numbers or conditions",
}
"""Formulas of float inputs without a derivative, and what says so."""
OPEN: dict[str, str] = {
    "hardsigmoid": "saturate has no derivative",
    "smooth_union": "mix has no derivative",
    "look_direction": "length has no derivative",
    "grid_sample_1d": "i32 of a stopped value has no derivative",
    "unused_stage": "a stage that nothing reads is derived",
    "pad_value": "axes of one name and two sizes",
    "flip": "an index that leads nowhere takes an extent",
    "flip_both": "an index that leads nowhere takes an extent",
    "givens": "a derived stage takes the name of a parameter",
    "lp_pool": "a derived stage takes the name of a parameter",
    "edge_pad": "a derived stage takes the name of a parameter",
    "segment_softmax": "a large float comes back as a whole number",
    "constant_out": "no tangent reaches the output",
}
"""Formulas whose derivation is known to fail, and why."""
OPEN_TWICE: dict[str, str] = {
    "geometric_mean": "two helpers of one name",
    "retention": "two adjoint carries of one name",
    "min_gru_start": "two adjoint carries of one name",
    "cumulative_logsumexp": "two adjoint carries of one name",
    "two_state_forward": "two adjoint carries of one name",
    "cross_product": "an index that leads nowhere takes an extent",
}
"""The same for second derivatives."""
DECLARED = {"spike_and_reset"}
"""Whose slopes are declared, not those of the values."""


def known(names: Iterable[str], reasons: Mapping[str, str]) -> list[Any]:
    """Names as parameters of a test, those with a reason expected to fail."""
    return [pytest.param(n, marks=pytest.mark.xfail(reason=reasons[n])) if n in reasons else n for n in names]


@cache
def spec_of(name: str) -> OpSpec:
    case = ZOO[name]
    return parse_spec(name, case.formula, {n: parse_spec(n, f) for n, f in case.library.items()})


@cache
def op_of(name: str) -> Op:
    case = ZOO[name]
    return op(name, case.formula, library={n: op(n, f) for n, f in case.library.items()})


def has_floats(spec: OpSpec) -> bool:
    return any(isinstance(i, TensorInput) and i.dtype is Dtype.F32 for i in spec.inputs)


SMOOTH = sorted(n for n in ZOO if n not in REFUSED and has_floats(spec_of(n)))
"""Those with a backward."""
