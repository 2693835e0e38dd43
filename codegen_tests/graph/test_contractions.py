"""Fusion of contractions: how many launches there are, that the results are those of the reference, and why others stay apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import shaderdsl as sd
from shaderdsl import ops
from shaderdsl.graph import prologue, split_sums
from shaderdsl.graph.cluster import Cluster
from shaderdsl.graph.compiled import Plan
from shaderdsl.graph.contractions import Contracting

DEVICES = ("interpreter", "wgpu", "dawn")
Host = NDArray[Any]


@dataclass(frozen=True)
class Case:
    """A function of tensors, the shapes of its arguments, its launches, and how many it has unfused."""

    function: Callable[..., Any]
    shapes: Sequence[tuple[int, ...]]
    launches: int
    stages: int


def lora(x: Any, w: Any, a: Any, b: Any) -> Any:
    return ops.lora_linear(x, w, a, b, 2.0)


def heads(x: Any, q: Any, k: Any, v: Any) -> Any:
    return ops.linear(x, q), ops.linear(x, k), ops.linear(x, v)


def gated(x: Any, gate: Any, up: Any) -> Any:
    return ops.swiglu(ops.linear(x, gate), ops.linear(x, up))


def network(x: Any, gate: Any, up: Any, down: Any) -> Any:
    return x + ops.linear(gated(x, gate, up), down)


def scaled(x: Any, w: Any) -> Any:
    return ops.linear(ops.relu(x) * 2.0, w)


def activated(a: Any, b: Any) -> Any:
    return ops.relu(ops.matmul(a, b))


def whole(x: Any, w: Any, b: Any, r: Any) -> Any:
    return ops.silu(ops.linear_bias(x, w, b)) + r


def both(a: Any, b: Any) -> Any:
    y = ops.matmul(a, b)
    return y, ops.relu(y)


def batched(a: Any, b: Any) -> Any:
    return ops.relu(ops.batched_matmul(a, b))


def long_sum(x: Any, w: Any) -> Any:
    return ops.relu(ops.linear(x, w))


def two_activations(x: Any, w: Any) -> Any:
    return ops.linear(ops.relu(x), ops.tanh(w))


def one_activation_for_two(x: Any, q: Any, k: Any) -> Any:
    y = ops.relu(x)
    return ops.linear(y, q), ops.linear(y, k)


CASES = {
    "matmul and relu": Case(activated, [(33, 20), (20, 40)], 1, 2),
    "ragged matmul and relu": Case(activated, [(33, 19), (19, 39)], 1, 2),
    "bias, activation, residual": Case(whole, [(33, 20), (24, 20), (24,), (33, 24)], 1, 4),
    "result kept beside its activation": Case(both, [(33, 20), (20, 40)], 1, 2),
    "LoRA": Case(lora, [(65, 48), (32, 48), (8, 48), (32, 8)], 2, 4),
    "q, k, v": Case(heads, [(65, 48), (64, 48), (16, 48), (16, 48)], 1, 3),
    "q, k, v of odd sizes": Case(heads, [(65, 48), (63, 48), (17, 48), (16, 48)], 1, 3),
    "gate and up": Case(gated, [(65, 48), (72, 48), (72, 48)], 1, 3),
    "network": Case(network, [(65, 48), (72, 48), (72, 48), (48, 72)], 2, 5),
    "activation before": Case(scaled, [(65, 48), (36, 48)], 1, 3),
    "both activated before": Case(two_activations, [(65, 48), (36, 48)], 1, 3),
    "one activation before two": Case(one_activation_for_two, [(65, 48), (36, 48), (24, 48)], 1, 3),
    "batches": Case(batched, [(3, 33, 20), (3, 20, 24)], 1, 2),
    "split sum": Case(long_sum, [(12, 1024), (16, 1024)], 2, 2),
    "split sum of a prime": Case(ops.matmul, [(12, 1031), (1031, 16)], 2, 1),
}


def drawn(shapes: Sequence[tuple[int, ...]]) -> list[Host]:
    random = np.random.default_rng(0)
    return [random.normal(size=s).astype(np.float32) for s in shapes]


def results(found: Any) -> list[Host]:
    return [*found] if type(found) is tuple else [found]


def plan_of(case: Case, device: str, *, fusion: bool = True) -> tuple[Plan, list[Host]]:
    plan = Plan(case.function, device=device, fusion=fusion)
    return plan, results(plan(*drawn(case.shapes)))


def assert_close(found: Sequence[Host], expected: Sequence[Host]) -> None:
    for x, y in zip(found, expected, strict=True):
        assert x.shape == y.shape
        assert np.linalg.norm(x - y) <= 1e-5 * np.linalg.norm(y)


def exact(case: Case) -> list[Host]:
    """What the unfused graph gives in the interpreter."""
    return plan_of(case, "interpreter", fusion=False)[1]


@pytest.mark.parametrize("name", CASES)
def test_counts(name: str) -> None:
    case = CASES[name]
    assert plan_of(case, "interpreter")[0].dispatches == case.launches
    assert plan_of(case, "interpreter", fusion=False)[0].dispatches == case.stages


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("device", DEVICES)
def test_fused_is_unfused(name: str, device: str) -> None:
    assert_close(plan_of(CASES[name], device)[1], exact(CASES[name]))


def test_the_unfused_graph_is_the_formulas() -> None:
    x, w, a, b = drawn(CASES["LoRA"].shapes)
    wide = [v.astype("f8") for v in (x, w, a, b)]
    expected = wide[0] @ wide[1].T + 0.25 * (wide[0] @ wide[2].T) @ wide[3].T
    assert_close(exact(CASES["LoRA"]), [expected])


def twice(a: Any, b: Any, c: Any) -> Any:
    return ops.matmul(ops.matmul(a, b), c)


def in_rows(a: Any, b: Any) -> Any:
    return ops.softmax(ops.matmul(a, b))


FLIP = sd.op("flip", "y[i, j] = x[j, i] + x[i, j]")
LONG = sd.op("long", "y[...] = " + " + ".join(f"sin({n} * x[...])" for n in range(1, 40)))


def flipped(a: Any, b: Any) -> Any:
    return FLIP(ops.matmul(a, b))


def lengthy(a: Any, b: Any) -> Any:
    return LONG(ops.matmul(a, b))


def refusals(function: Callable[..., Any], *shapes: tuple[int, ...]) -> list[str]:
    plan = Plan(function, device="interpreter")
    plan(*drawn(shapes))
    return [f"{r.tensor} -> {r.reader}: {r.reason}" for r in plan.planned.fused.refusals]


def test_a_product_of_a_product_stays_apart() -> None:
    found = refusals(twice, (9, 8), (8, 12), (12, 16))
    assert found == ["matmul -> matmul_2: matmul_2 sums over it, and a tile has a part of what one sum needs"]


def test_rows_stay_apart() -> None:
    found = refusals(in_rows, (9, 8), (8, 12))
    assert found == ["matmul -> softmax: softmax is reduced along its rows, a tile has parts of them"]


def test_what_reads_elsewhere_stays_apart() -> None:
    found = refusals(flipped, (9, 8), (8, 9))
    assert found == ["matmul -> flip: flip reads matmul elsewhere than at its own place"]


def test_bindings_are_counted() -> None:
    def sums(a: Any, b: Any, *more: Any) -> Any:
        total = ops.matmul(a, b)
        for other in more:
            total = total + other
        return total

    assert refusals(sums, (9, 8), (8, 12), *[(9, 12)] * 5) == []
    found = refusals(sums, (9, 8), (8, 12), *[(9, 12)] * 6)
    assert found == ["matmul -> add_6: together they would bind 9 arrays, a kernel binds 8"]


def test_a_long_formula_stays_apart() -> None:
    found = refusals(lengthy, (9, 8), (8, 12))
    assert found == [
        "matmul -> long: long has more than 64 operations, which would be written out for each vec4 of a tile"
    ]


def test_a_path_outside_keeps_siblings_apart() -> None:
    def chain(x: Any, w: Any) -> Any:
        return ops.matmul(x, ops.softmax(ops.matmul_tn(x, w)))

    plan = Plan(chain, device="interpreter")
    plan(*drawn([(9, 8), (9, 12)]))
    assert plan.dispatches == 3


def test_siblings_of_two_types_stay_apart() -> None:
    rounded = sd.op("rounded", "given x[m, k], q[k, n]: i32\nc[m, n] = sum(k) i32(x[m, k]) * q[k, n]")

    def both_types(x: Any, w: Any, q: Any) -> Any:
        return ops.matmul(x, w), rounded(x, q)

    plan = Plan(both_types, device="interpreter")
    plan(*drawn([(9, 8), (8, 12)]), np.ones((8, 12), np.int32))
    assert [r.reason for r in plan.planned.fused.refusals] == [
        "they sum f32 and i32, and shared memory has room for slices of one type"
    ]


def step(x: Any, g: Any, w: Sequence[Any]) -> Any:
    h = ops.rms_norm(x, g, eps=1e-6)
    q, k, v = (ops.linear(h, w[n]) for n in range(3))
    y = x + ops.matmul(ops.softmax(ops.matmul_nt(q, k)), v)
    y = network(y, *w[3:])
    loss = SQUARES(y)
    return loss, *sd.grad(loss, [g, *w])


SQUARES = sd.op("squares", "s = sum(i, j) (y[i, j] - 1) ** 2")


def test_a_layer_with_its_gradients() -> None:
    shapes = [(17, 20), (20,), (20, 20), (20, 20), (20, 20), (36, 20), (36, 20), (20, 36)]
    x, g, *w = [v / 4 for v in drawn(shapes)]
    fused, unfused = (Plan(step, device="interpreter", fusion=f) for f in (True, False))
    for found, expected in zip(fused(x, g, w), unfused(x, g, w), strict=True):
        assert np.linalg.norm(found - expected) <= 1e-5 * np.linalg.norm(expected)
    assert 2 * fused.dispatches < unfused.dispatches
    assert 3 * fused.bytes < 2 * unfused.bytes


def test_a_split_sum_is_noted() -> None:
    plan, _ = plan_of(CASES["split sum"], "interpreter")
    notes = [n for launch in plan.planned.launches for n in launch.notes]
    assert notes[0] == "linear is summed in 4 parts, then over them: another order than written"


def test_empty_sums_are_zero() -> None:
    plan = Plan(activated, device="interpreter")
    assert (plan(np.zeros((3, 0), np.float32), np.zeros((0, 4), np.float32)) == np.zeros((3, 4))).all()
    assert plan(np.zeros((0, 3), np.float32), np.zeros((3, 4), np.float32)).shape == (0, 4)


def test_reading_elsewhere_unchecked_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(self: Contracting, reader: Cluster, maker: Cluster, merged: object, partials: object) -> None:
        del self, reader, maker, merged, partials

    monkeypatch.setattr(Contracting, "elsewhere", nowhere)
    case = Case(flipped, [(9, 8), (8, 9)], 1, 2)
    with pytest.raises(AssertionError):
        assert_close(plan_of(case, "interpreter")[1], exact(case))


def test_a_map_read_beyond_its_edge_stays_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    window = sd.op("window", "c[t, o] = sum(i, k) x[t + k - 1, i] * w[o, i, k]")

    def shifted(x: Any, w: Any) -> Any:
        return window(x + 1.0, w)

    case = Case(shifted, [(9, 8), (12, 8, 3)], 2, 2)
    plan, found = plan_of(case, "interpreter")
    assert plan.dispatches == 2
    assert_close(found, exact(case))
    monkeypatch.setattr(prologue, "surely_inside", always)
    with pytest.raises(AssertionError):
        assert_close(plan_of(case, "interpreter")[1], exact(case))


def always(*given: object) -> bool:
    return bool(given)


def test_a_chunk_left_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split_sums, "count_of", one_less)
    with pytest.raises(AssertionError):
        assert_close(plan_of(CASES["split sum"], "interpreter")[1], exact(CASES["split sum"]))


def one_less(size: int, chunk: int) -> int:
    return size // chunk - 1
