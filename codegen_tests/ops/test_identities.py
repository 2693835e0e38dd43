"""Identities that algebra shows, the chain rule over random pairs, and what shows that neither check is empty."""

from __future__ import annotations

import numpy as np
import pytest

from codegen_tests.ops.library import DEFINITIONS, case
from shaderdsl.spec.derive import vjp
from shaderdsl.spec.leading import specialise
from shaderdsl.spec.notation import OpSpec, TensorInput
from shaderdsl.spec.parse import parse_spec
from shaderdsl.testing.composition import composed, composition_error, compositions
from shaderdsl.testing.identities import IDENTITIES, identity_check
from shaderdsl.testing.mutations import mutants
from shaderdsl.testing.proofs import equivalent
from shaderdsl.testing.samples import Hints
from shaderdsl.testing.symbolic import form, proved_zero, symbol

CLAIMED = [(n, i) for n, d in DEFINITIONS.items() for i in d.identities]
FALSE = [
    ("exp", "transpose of each"),
    ("exp", "turns back"),
    ("add", "transpose of each"),
    ("matmul", "transpose"),
    ("rms_norm", "rows sum to 0"),
    ("sum", "rows sum to what comes in"),
    ("layer_norm", "at right angles"),
]
SQUARE = """copy add sub mul scale exp tanh sigmoid relu relu2_gate gelu silu swiglu softplus clamp softmax log_softmax
causal_softmax layer_norm layer_norm_affine rms_norm rms_norm_plain l2_norm matmul matmul_nt linear linear_bias tied_head transpose
cumulative_sum linear_recurrence""".split()


@pytest.mark.parametrize(("name", "identity"), CLAIMED)
def test_an_identity_is_shown(name: str, identity: str) -> None:
    spec, hints = case(name)
    assert identity_check(identity, spec, vjp(spec), hints).ok


@pytest.mark.parametrize(("name", "identity"), FALSE)
def test_a_false_identity_is_not(name: str, identity: str) -> None:
    spec, hints = case(name)
    assert not identity_check(identity, spec, vjp(spec), hints).ok


def test_every_identity_is_claimed_and_refuted() -> None:
    assert {i for _, i in CLAIMED} == {i for _, i in FALSE} == set(IDENTITIES)


def test_a_wrong_sign_in_rope_does_not_turn_back() -> None:
    spec, hints = case("rope_split")
    right = vjp(spec)
    wrong = [m for m in mutants(spec, right) if m.kind == "wrong sign"]
    proved = [identity_check("turns back", spec, m.spec, hints).ok for m in wrong]
    assert proved == [equivalent(spec, right, m.spec, hints) for m in wrong]
    assert not all(proved)


def test_algebra_decides() -> None:
    x, y = symbol("x"), symbol("y")
    assert proved_zero((x + y) ** 2 - x**2 - 2 * x * y - y**2)
    assert proved_zero(1 / (1 + form("exp")(-x)) + 1 / (1 + form("exp")(x)) - 1)
    assert proved_zero(form("sin")(x) ** 2 + form("cos")(x) ** 2 - 1)
    assert not proved_zero(x - y)


def test_a_wrong_backward_is_no_equivalent() -> None:
    spec = parse_spec("square", "y[i] = x[i] ** 2")
    same = parse_spec("same", "given x[i], d_y[i]\nd_x[i] = (x[i] + x[i]) * d_y[i]")
    wrong = parse_spec("wrong", "given x[i], d_y[i]\nd_x[i] = x[i] * d_y[i]")
    assert equivalent(spec, vjp(spec), same, Hints())
    assert not equivalent(spec, vjp(spec), wrong, Hints())


def square(name: str) -> OpSpec:
    spec = parse_spec(name, DEFINITIONS[name].formula)
    return specialise(
        spec, {i.name: 2 if i.leading else len(i.axes) for i in spec.inputs if isinstance(i, TensorInput)}
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_chain_rule_holds(seed: int) -> None:
    scalars = {n: v for name in SQUARE for n, v in DEFINITIONS[name].scalars.items()}
    check = compositions([square(n) for n in SQUARE], scalars, 50, seed)
    assert check.ok, str(check)


def test_a_broken_chain_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(spec: OpSpec) -> OpSpec:
        return vjp(square("exp")) if spec.name == "tanh" else vjp(spec)

    monkeypatch.setattr("shaderdsl.testing.composition.vjp", other)
    assert composition_error(square("tanh"), square("softmax"), np.random.default_rng(0)) > 1e-3
    assert composed(square("tanh"), square("softmax")).name == "softmax_after_tanh"
