"""All the animals, and what is known of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from codegen_tests.spec.zoo import Animal
from codegen_tests.spec.zoo_activations import ACTIVATIONS
from codegen_tests.spec.zoo_algebra import ALGEBRA
from codegen_tests.spec.zoo_attention import ATTENTION
from codegen_tests.spec.zoo_convolutions import CONVOLUTIONS
from codegen_tests.spec.zoo_gates import GATES
from codegen_tests.spec.zoo_geometry import GEOMETRY
from codegen_tests.spec.zoo_indices import INDICES
from codegen_tests.spec.zoo_losses import LOSSES
from codegen_tests.spec.zoo_margins import MARGINS
from codegen_tests.spec.zoo_norms import NORMS
from codegen_tests.spec.zoo_optimisers import OPTIMISERS
from codegen_tests.spec.zoo_physics import PHYSICS
from codegen_tests.spec.zoo_recurrences import RECURRENCES
from codegen_tests.spec.zoo_sequences import SEQUENCES
from shaderdsl.operation import Op, op
from shaderdsl.spec.notation import Dtype, OpSpec, TensorInput
from shaderdsl.spec.parse import parse_spec

FAMILIES: tuple[Mapping[str, Animal], ...] = (
    ACTIVATIONS,
    ALGEBRA,
    ATTENTION,
    CONVOLUTIONS,
    GATES,
    GEOMETRY,
    INDICES,
    LOSSES,
    MARGINS,
    NORMS,
    OPTIMISERS,
    PHYSICS,
    RECURRENCES,
    SEQUENCES,
)
ZOO: dict[str, Animal] = {name: case for family in FAMILIES for name, case in family.items()}

REFUSED: dict[str, str] = {
    "signed_root": "sign has no derivative",
    "search_sorted": "it gives whole numbers or conditions",
    "count_true": "it gives whole numbers or conditions",
}
"""Formulas of float inputs without a derivative, and what says so."""
DECLARED = {
    "spike_and_reset",
    "fake_quantise",
    "quantised_linear",
    "ternary_weights",
    "spectral_norm_converged",
}
"""Whose slopes are declared, not those of the values."""


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
