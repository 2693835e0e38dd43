"""What ops do at their edges: empty rows, ties, labels that do not count, the last step of a cache, clipping several tensors."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from codegen_tests.ops.library import case
from shaderdsl import ops
from shaderdsl.spec.derive import vjp
from shaderdsl.spec.reference import evaluate

RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(3, 4))
ANY = RANDOM.normal(size=(3, 4))


def forward(name: str, **arguments: Any) -> Any:
    return getattr(ops, name).reference(**arguments)


def backward(name: str, **arguments: Any) -> Any:
    return getattr(ops, name).vjp.reference(**arguments)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_a_row_without_a_kept_place_is_zero_and_has_no_gradient(kind: type) -> None:
    mask = np.array([[0, 0, 0, 0], [1, 0, 1, 1], [0, 1, 0, 0]], np.int32)[None]
    spec, _ = case("masked_softmax")
    given = {"x": X[None] * 30, "mask": mask}
    y = evaluate(spec, given, kind)["y"]
    d_x = evaluate(vjp(spec), {**given, "d_y": ANY[None]}, kind)["d_x"]
    assert np.array_equal(y[0, 0], np.zeros(4))
    assert np.array_equal(d_x[0, 0], np.zeros(4))
    assert np.isfinite(y).all()
    assert np.isfinite(d_x).all()
    assert np.array_equal(y[0][mask[0] == 0], np.zeros(7 + 1))
    assert np.allclose(y[0, 1:].sum(-1), 1)


def test_masked_places_of_a_log_softmax_hold_the_fill() -> None:
    mask = np.array([[0, 0, 0, 0], [1, 0, 1, 1], [0, 1, 0, 0]], np.int32)
    y = forward("masked_log_softmax", x=X, mask=mask, fill=-1e30)
    assert np.array_equal(y[0], np.full(4, -1e30))
    assert np.allclose(np.exp(y), forward("masked_softmax", x=X, mask=mask))
    assert np.array_equal(backward("masked_log_softmax", x=X, mask=mask, fill=-1e30, d_y=ANY)["x"][0], np.zeros(4))


def test_places_after_the_query_are_exactly_zero() -> None:
    x = RANDOM.normal(size=(4, 4))
    assert np.array_equal(np.triu(forward("causal_softmax", x=x), 1), np.zeros((4, 4)))
    assert np.array_equal(np.triu(backward("causal_softmax", x=x, d_y=x * x)["x"], 1), np.zeros((4, 4)))


def test_a_softmax_of_large_numbers_is_finite() -> None:
    y = forward("softmax", x=np.array([[1000.0, 1001.0, 1002.0]]))
    assert np.allclose(y, np.exp([-2.0, -1.0, 0.0]) / np.exp([-2.0, -1.0, 0.0]).sum())


def test_ties() -> None:
    tied = np.array([[1.0, 3.0, 3.0, 0.0]])
    assert forward("argmax", x=tied)[0] == 1
    values, places = (forward("top_k", x=tied, k=2)[name] for name in ("values", "places"))
    assert values.tolist() == [[3.0, 3.0]]
    assert places.tolist() == [[1, 2]]
    assert backward("max", x=tied, d_y=np.ones(1))["x"].tolist() == [[0.0, 0.5, 0.5, 0.0]]


def test_clamp_passes_at_both_bounds() -> None:
    x = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    assert backward("clamp", x=x, low=-1.0, high=1.0, d_y=np.ones(5))["x"].tolist() == [0.0, 1.0, 1.0, 1.0, 0.0]


def test_labels_outside_the_vocabulary_do_not_count() -> None:
    label = np.array([1, 4, -1], np.int32)
    assert np.allclose(forward("cross_entropy", x=X, label=label), forward("cross_entropy", x=X[:1], label=label[:1]))
    d_x = backward("cross_entropy", x=X, label=label, d_loss=np.asarray(1.0))["x"]
    assert np.array_equal(d_x[1:], np.zeros((2, 4)))
    none = np.array([4, 9, -1], np.int32)
    assert forward("cross_entropy", x=X, label=none) == 0
    assert np.array_equal(backward("cross_entropy", x=X, label=none, d_loss=np.asarray(1.0))["x"], np.zeros((3, 4)))


def test_attention_over_a_cache_is_causal_attention_a_step_at_a_time() -> None:
    q, k, v = (RANDOM.normal(size=(heads, 5, 3)) for heads in (4, 2, 2))
    whole = forward("causal_attention", q=q, k=k, v=v, scale=0.5)
    for position in range(5):
        written = {"k": np.full((2, 7, 3), 9.0), "v": np.full((2, 7, 3), 9.0)}
        for name, new in (("k", k), ("v", v)):
            written[name] = forward("cache_write", cache=written[name], new=new[:, : position + 1], position=0)
        step = forward("cached_attention", q=q[:, [position]], **written, scale=0.5, position=position)
        assert np.allclose(step[:, 0], whole[:, position])


def test_attention_scores_may_have_a_norm_of_queries_and_keys() -> None:
    """A norm of each head: the last axis, with one gain for all heads."""
    q, gain = RANDOM.normal(size=(4, 5, 3)), RANDOM.normal(size=3)
    y = forward("rms_norm", x=q, g=gain, eps=1e-6)
    assert np.allclose(y, q / np.sqrt((q * q).mean(-1, keepdims=True) + 1e-6) * gain)


@pytest.mark.parametrize("limit", [0.5, 100.0, 0.0])
def test_several_tensors_are_clipped_by_the_norm_of_all(limit: float) -> None:
    gradients = [RANDOM.normal(size=(2, 3)), RANDOM.normal(size=5)]
    squares = np.array([forward("sum_squares", x=g.reshape(-1)) for g in gradients])
    norm = np.sqrt(sum((g * g).sum() for g in gradients))
    for g in gradients:
        found = forward("clip_by_squares", g=g, squares=squares, limit=limit)
        assert np.allclose(found["norm"], norm)
        assert np.allclose(found["y"], g * min(1, limit / norm) if limit else g)
        assert np.allclose(forward("clip_by_norm", g=g, norm=norm, limit=limit), found["y"])


def test_adamw_without_decay_is_adam_and_decay_stands_apart() -> None:
    p, g = np.array([1.0, -2.0]), np.array([0.5, 0.25])
    settings = {"rate": 0.1, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "debias1": 0.1, "debias2": 0.001}
    adam = forward("adamw", p=p, g=g, m=0 * p, v=0 * p, decay=0.0, **settings)
    decayed = forward("adamw", p=p, g=g, m=0 * p, v=0 * p, decay=0.5, **settings)
    assert np.allclose(adam["p_next"], p - 0.1 * np.sign(g), rtol=1e-6)
    assert np.allclose(decayed["p_next"], adam["p_next"] - 0.1 * 0.5 * p)
    assert np.array_equal(decayed["v_next"], adam["v_next"])


def test_whole_numbers_are_exact_and_wrap() -> None:
    q = np.array([[127, -128]], np.int32)
    assert forward("int8_matmul", q=q, w=q.T, sx=np.ones(1), sw=np.ones(1)) == 127**2 + 128**2
    a, b = np.array([2**32 - 1], np.uint32), np.array([2**31 + 1], np.uint32)
    assert forward("wrapping_product", a=a, b=b) == ((2**32 - 1) * (2**31 + 1) + 2**32 - 1) % 2**32
