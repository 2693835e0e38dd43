"""Identities that algebra shows, the chain rule over random pairs, and what shows that neither check is empty."""

from __future__ import annotations

import numpy as np
import pytest

from codegen_tests.ops.library import DEFINITIONS, DERIVED, case
from shaderdsl.spec.derive import vjp
from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.parse import parse_spec
from shaderdsl.testing.composition import Link, chain_rule, composed, composition_error
from shaderdsl.testing.identities import IDENTITIES, identity_check
from shaderdsl.testing.library import pool
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


POOL = pool(DEFINITIONS.values())
CHAINS = {name: chain for name in DERIVED if (chain := chain_rule(name, POOL)) is not None}
ALONE = {"top_k", "split", "split_heads", "concat", "cross_entropy", "cross_entropy_range"}
"""Two results, a result whose axes are sums or quotients, or sizes by names that no result has."""


def test_the_chain_rule_holds_for_200_pairs() -> None:
    assert all(chain.ok for chain in CHAINS.values()), [str(c) for c in CHAINS.values() if not c.ok]
    pairs = {pair for chain in CHAINS.values() for pair in chain.name.removeprefix("chain rule: ").split(", ")}
    assert len(pairs) >= 200
    assert set(DERIVED) - set(CHAINS) <= ALONE


def test_pairs_are_the_same_each_time() -> None:
    assert chain_rule("softmax", POOL) == CHAINS["softmax"]


def one(name: str) -> Link:
    return next(link for link in POOL if link.spec.name == name and link.takes == 2)


def test_a_broken_chain_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(spec: OpSpec) -> OpSpec:
        return vjp(one("exp").spec) if spec.name == "tanh" else vjp(spec)

    monkeypatch.setattr("shaderdsl.testing.composition.backward_of", other)
    assert composition_error(one("tanh"), one("softmax"), np.random.default_rng(0)) > 1e-3
    assert composed(one("tanh").spec, one("softmax").spec).name == "softmax_after_tanh"
