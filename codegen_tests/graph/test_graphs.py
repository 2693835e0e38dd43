"""Graphs of ops: one formula of the whole, fewer stages by rule, gradients, and the law that fusion changes no result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import shaderdsl as sd
from shaderdsl import ops
from shaderdsl.graph import fuse as fusing
from shaderdsl.graph.cluster import Cluster
from shaderdsl.graph.constants import with_constants
from shaderdsl.graph.copies import without_copies
from shaderdsl.graph.flatten import Flat, flatten
from shaderdsl.graph.nest import walk
from shaderdsl.graph.plan import plan
from shaderdsl.graph.sharing import live, shared
from shaderdsl.graph.tensor import Tensor
from shaderdsl.schedule import partials, two_steps
from shaderdsl.schedule.group import Group
from shaderdsl.spec.notation import Dtype
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.graphs import draw_graph

Host = NDArray[Any]


def given(name: str, *shape: int) -> Tensor:
    return Tensor.given(name, shape, Dtype.F32)


def stages(flat: Flat) -> list[str]:
    return [line for line in format_spec(flat.spec).splitlines() if "[" in line and "given" not in line]


def drawn(*shape: int, seed: int = 0) -> Host:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def plan_of(function: Callable[[Any], Any]) -> sd.Plan:
    return sd.compile(device="interpreter")(function)


def test_a_graph_is_one_formula() -> None:
    flat = flatten({"y": ops.softmax(given("x", 3, 5) * 2.0)}, {})
    assert parse_spec("again", format_spec(flat.spec)).stages == flat.spec.stages
    x = drawn(3, 5)
    found = evaluate(flat.spec, {"x": x})[flat.results["y"]]
    assert np.allclose(found, ops.softmax.reference(2 * x.astype(np.float64)))


def test_what_is_computed_twice_is_shared() -> None:
    x = given("x", 3, 5)
    y, d = ops.softmax(x), ops.softmax.vjp(x=x, d_y=given("d", 3, 5))["x"]
    assert len(live(shared(flatten({"y": y, "d": d}, {}))).spec.stages) == 6  # m, e, s, y; p, d_x


def test_operands_may_change_places_and_bits_may_not() -> None:
    a, b = given("a", 4), given("b", 4)
    assert len(shared(flatten({"x": a + b, "y": b + a}, {})).spec.stages) == 1
    assert len(shared(flatten({"x": a - b, "y": b - a}, {})).spec.stages) == 2
    assert len(shared(flatten({"x": a * 1.0, "y": a * 1.0000001}, {})).spec.stages) == 2


COPIES: dict[str, Callable[[Any], Any]] = {
    "transposed twice": lambda x: ops.exp(ops.transpose(ops.transpose(x))),
    "copied": lambda x: ops.exp(ops.copy(x)),
    "a part": lambda x: ops.exp(sd.op("part", "y[i < 2, j] = x[i + 1, j]")(x)),
    "heads apart and together": lambda x: ops.merge_heads(ops.split_heads(x, 2)) * 2.0,
    "padded": lambda x: ops.exp(sd.op("padded", "y[i < size(i) + 2, j] = x[i - 1, j]")(x)),
    "past the edge": lambda x: sd.op("shifted", "y[i, j] = x[i - 1, j]")(ops.transpose(x)),
    "with a fill": lambda x: sd.op("filled", "y[i, j] = x[i - 1, j; 7.0]")(ops.transpose(x)),
}


@pytest.mark.parametrize("name", COPIES)
def test_copies_are_read_through(name: str) -> None:
    before = flatten({"y": COPIES[name](given("x", 4, 6))}, {})
    after = without_copies(before)
    assert len(after.spec.stages) == 1
    host = drawn(4, 6)
    same = [evaluate(f.spec, {"x": host})[f.results["y"]] for f in (before, after)]
    assert np.array_equal(same[0], same[1])


def test_numbers_are_written_out() -> None:
    one = sd.op("one", "y = 1.0")()
    flat = with_constants(flatten({"y": sd.op("by", "given x[i], s\ny[i] = x[i] * s")(given("x", 3), s=2.0)}, {}))
    assert len(flat.spec.stages) == 1
    assert one.shape == ()


def softmax_both(x: Any, d: Any) -> Any:
    return ops.softmax(x), ops.softmax.vjp(x=x, d_y=d)["x"]


def norm_of_sum(x: Any, r: Any, g: Any) -> Any:
    return ops.rms_norm(x + r, g, eps=1e-6)


def norm_backward(x: Any, g: Any, d: Any) -> Any:
    return ops.rms_norm.vjp(x=x, g=g, eps=1e-6, d_y=d)


def chain(x: Any) -> Any:
    return ops.tanh(ops.gelu(x) * 2.0 + x)


def mean_square(x: Any) -> Any:
    return sd.op("all", "s = mean(i, j) x[i, j] ** 2")(ops.tanh(x))


def centred(x: Any) -> Any:
    return sd.op("off", "m[j] = mean(i) x[i, j]\ny[i, j] = x[i, j] - m[j]")(x)


COUNTS: dict[str, tuple[Callable[..., Any], dict[str, tuple[int, ...]], int]] = {
    "a chain": (chain, {"x": (33, 7)}, 1),
    "a softmax": (ops.softmax, {"x": (9, 40)}, 1),
    "a softmax and its backward": (softmax_both, {"x": (9, 40), "d": (9, 40)}, 1),
    "a norm after a residual": (norm_of_sum, {"x": (9, 8), "r": (9, 8), "g": (8,)}, 1),
    "a norm's backward with its gain": (norm_backward, {"x": (9, 8), "g": (8,), "d": (9, 8)}, 2),
    "a mean of everything": (mean_square, {"x": (9, 8)}, 1),
    "a column's mean taken off": (centred, {"x": (9, 8)}, 1),
}


@pytest.mark.parametrize("name", COUNTS)
def test_launches(name: str) -> None:
    function, shapes, count = COUNTS[name]
    compiled = sd.compile(device="interpreter")(function)
    compiled(**{n: drawn(*s) for n, s in shapes.items()})
    assert compiled.dispatches == count


def test_a_chain_of_a_thousand_ops_is_one_launch() -> None:
    def long_chain(x: Any) -> Any:
        for _ in range(500):
            x = ops.tanh(x) * 1.5
        return x

    compiled = sd.compile(device="interpreter")(long_chain)
    x = drawn(5)
    expected = x.astype(np.float64)
    for _ in range(500):
        expected = np.tanh(expected) * 1.5
    assert np.allclose(compiled(x), expected, rtol=1e-4)
    assert compiled.dispatches == 1
    for device in ("wgpu", "dawn"):
        assert np.allclose(sd.compile(device=device)(long_chain)(x), expected, rtol=1e-3)


def test_arguments_and_results_keep_their_structure() -> None:
    @sd.compile(device="interpreter")
    def step(parameters: dict[str, Any], x: Any, rate: float) -> Any:
        return {"new": {n: p - x * rate for n, p in parameters.items()}, "all": [x, (x * 2.0,)]}

    x = np.ones(3, np.float32)
    found = step({"a": x, "b": 2 * x}, x, 0.5)
    assert found["new"]["b"].tolist() == [1.5] * 3
    assert isinstance(found["all"], list)
    assert isinstance(found["all"][1], tuple)
    assert step({"a": x, "b": 2 * x}, x, 0.25)["new"]["a"].tolist() == [0.75] * 3


def test_numbers_are_parameters_and_not_in_the_text() -> None:
    @sd.compile(device="interpreter")
    def scaled(x: Any, by: Any) -> Any:
        return x * by + by * 2.0

    x = np.ones(4, np.float32)
    assert scaled(x, 3.0).tolist() == [9.0] * 4
    before = scaled.planned
    assert scaled(x, 5.0).tolist() == [15.0] * 4
    assert scaled.planned is before


def test_a_gradient_is_the_derivative() -> None:
    def loss(parameters: dict[str, Any], x: Any, labels: Any) -> Any:
        h = ops.rms_norm(x, parameters["g"], eps=1e-5)
        h = ops.swiglu(ops.linear(h, parameters["gate"]), ops.linear(h, parameters["up"]))
        return ops.cross_entropy(ops.linear_bias(h, parameters["out"], parameters["b"]), labels)

    @sd.compile(device="interpreter")
    def both(p: Any, x: Any, t: Any) -> Any:
        return loss(p, x, t), sd.grad(loss(p, x, t), p)

    shapes = {"g": (6,), "gate": (5, 6), "up": (5, 6), "out": (4, 5), "b": (4,)}
    parameters = {n: drawn(*s, seed=i) for i, (n, s) in enumerate(shapes.items())}
    x, labels = drawn(7, 6, seed=9), np.arange(7, dtype=np.int32) % 4
    _, gradients = both(parameters, x, labels)
    flat = both.planned.before

    def exact(name: str, change: Host) -> float:
        arguments: dict[str, Any] = {f"p_{n}": p.astype(np.float64) for n, p in parameters.items()}
        arguments[f"p_{name}"] = arguments[f"p_{name}"] + change
        return float(evaluate(flat.spec, arguments | {"x": x, "t": labels})[flat.results["0"]])

    for name, parameter in parameters.items():
        for place in (0, parameter.size - 1):
            change = np.zeros(parameter.size)
            change[place] = 1e-6
            slope = (
                exact(name, change.reshape(parameter.shape)) - exact(name, -change.reshape(parameter.shape))
            ) / 2e-6
            assert gradients[name].reshape(-1)[place] == pytest.approx(slope, rel=1e-4, abs=1e-6)


def test_a_gradient_of_a_gradient() -> None:
    square = sd.op("square", "y = sum(i) x[i] ** 3")

    def second(x: Any) -> Any:
        first = sd.grad(square(x), x)
        return sd.grad(sd.op("total", "y = sum(i) x[i]")(first), x)

    x = np.array([1.0, -2.0, 3.0], np.float32)
    assert np.allclose(sd.compile(device="interpreter")(second)(x), 6 * x)


def test_a_tensor_used_twice_adds_up() -> None:
    total = sd.op("total", "y = sum(i) x[i]")
    twice = plan_of(lambda x: sd.grad(total(x * x + x), x))
    assert twice(np.array([1.0, 2.0], np.float32)).tolist() == [3.0, 5.0]


def test_the_story_tells_counts_and_reasons() -> None:
    compiled = plan_of(lambda x: ops.softmax(ops.transpose(ops.softmax(x))))
    compiled(drawn(40, 64))
    text = compiled.explain()
    assert "launches as written" in text
    assert f"{compiled.dispatches} launches fused" in text
    assert "kept apart" in text
    assert "runs over 40 x (64)" in text
    assert "another order than written" in text
    assert compiled.formula.startswith("given x")
    assert compiled.wgsl().count("@compute") == compiled.dispatches


# Fused is unfused


def both_ways(seed: int, device: str) -> tuple[dict[str, Host], dict[str, Host], Mapping[str, Host], Mapping[str, str]]:
    graph = draw_graph(seed)
    fused = sd.compile(device=device)(graph.function)
    apart = sd.compile(device=device, fusion=False)(graph.function)
    one, other = (dict(walk(f(**graph.arguments), "")) for f in (fused, apart))
    flat = apart.planned.flat
    exact = evaluate(flat.spec, {n: a for n, a in graph.arguments.items() if n in flat.shapes})
    return one, other, exact, apart.planned.flat.results


def differs(seed: int, device: str = "interpreter") -> str:
    """Where fusion moves a result further from the exact one than rounding may; nothing where it does not."""
    one, other, exact, results = both_ways(seed, device)
    for name, found in one.items():
        target = exact.get(results[name])
        if target is None or not target.size:
            continue
        size = max(float(np.abs(target).max()), 1e-3)
        error, apart = (float(np.abs(a - target).max()) / size for a in (found, other[name]))
        if not error <= max(1e-5, 4 * apart):
            return f"graph {seed}: {name} is {error:.1e} off fused, {apart:.1e} unfused"
    return ""


@pytest.mark.parametrize("block", range(20))
def test_fused_is_unfused(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        assert not differs(seed)


@pytest.mark.parametrize("device", ["wgpu", "dawn"])
def test_fused_is_unfused_on_devices(device: str) -> None:
    for seed in range(1000, 1008):
        assert not differs(seed, device)


def anywhere(*_: object) -> None:
    """Reads at any place are allowed."""


def only_results(self: fusing.Fuser, a: Cluster, b: Cluster) -> set[str]:
    return {n for n in a.left | b.left if n in self.flat.spec.outputs}


def always(_: Group) -> bool:
    return True


def half(group: Group) -> tuple[int, int]:
    return 2, group.count(group.rows) // 2


@pytest.mark.parametrize(
    ("room", "name", "fault"),
    [
        (fusing.Fuser, "elsewhere", anywhere),
        (fusing.Fuser, "left_by", only_results),
        (two_steps, "separable", always),
        (partials, "chunking", half),
    ],
    ids=["reads at another place", "what others read is not stored", "parts of what is needed whole", "rows left out"],
)
def test_a_fault_is_found(room: Any, name: str, fault: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, name, fault)
    if name == "chunking":
        monkeypatch.setattr("shaderdsl.schedule.rows.chunking", fault)
    if name == "separable":
        monkeypatch.setattr(two_steps, "ROW", 8)
        monkeypatch.setattr(two_steps, "SHORTEST", 1)

    def failing(seed: int) -> bool:
        try:
            return bool(differs(seed))
        except Exception:  # noqa: BLE001 (a fault may break anything)
            return True

    assert any(map(failing, range(40)))


def test_plans_are_linear_in_their_ops() -> None:
    def work(count: int) -> int:
        x = given("x", 8)
        for _ in range(count):
            x = ops.tanh(x) + x
        return len(plan(flatten({"y": x}, {})).launches)

    assert work(50) == work(200) == 1
