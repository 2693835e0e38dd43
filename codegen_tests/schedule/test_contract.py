"""Tiled contractions: every transposition, shape and tile gives the reference's product within the bound, and both compilers take the text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from shaderdsl.corridor import lower
from shaderdsl.graph.contractions import fuse
from shaderdsl.graph.flatten import Flat, flatten
from shaderdsl.graph.plan import last_uses, plan
from shaderdsl.graph.run import Arguments
from shaderdsl.graph.runner import Runner
from shaderdsl.graph.tensor import Tensor
from shaderdsl.ir.verify import fault
from shaderdsl.operation import Op, op
from shaderdsl.runtime.validate import naga_refusal, tint_refusal
from shaderdsl.schedule import contract_body
from shaderdsl.schedule.contract import contract
from shaderdsl.schedule.contract_shape import MOST_SHARED, TILES, Tile, Work, tile_of
from shaderdsl.schedule.group import Group, Kind, Launch
from shaderdsl.spec.notation import Dtype
from shaderdsl.wgsl.module import Dialect, emit

DEVICES = ("interpreter", "wgpu", "dawn")
KINDS = {Dtype.F32: "f4", Dtype.I32: "i4", Dtype.U32: "u4"}
FORMS = {
    "nn": "a[m, k] * b[k, n]",
    "nt": "a[m, k] * b[n, k]",
    "tn": "a[k, m] * b[k, n]",
    "tt": "a[k, m] * b[n, k]",
}
SHAPES = [
    (2, 2, 1),
    (2, 3, 3),
    (3, 17, 64),
    (17, 65, 3),
    (64, 64, 64),
    (65, 127, 17),
    (128, 129, 65),
    (129, 128, 127),
    (255, 64, 12),
    (256, 257, 9),
    (257, 255, 8),
    (4, 128, 1021),
    (67, 61, 255),
    (8, 8, 8),
    (132, 260, 256),
]
Host = NDArray[Any]


def flat_of(formula: str, **shapes: tuple[int, ...]) -> Flat:
    """The graph of one op on arrays of these shapes."""
    operation: Op = op("product", formula)
    kinds = {i.name: i.dtype for i in operation.spec.inputs}
    made = operation(*[Tensor.given(n, s, kinds[n]) for n, s in shapes.items()])
    return flatten({"y": made}, {})


def group_of(flat: Flat) -> Group:
    """Its contraction."""
    return next(g for g in fuse(flat).groups if g.kind is Kind.CONTRACT)


def product(flat: Flat, launch: Launch, arrays: dict[str, Host], device: str) -> Host:
    name, launches = flat.results["y"], (launch,)
    planned = replace(plan(flat), flat=flat, launches=launches, last=last_uses(launches), made=(name,))
    return np.asarray(Runner(planned, "product").run(Arguments(arrays, {}), device)[name])


def drawn(seed: int, shape: tuple[int, ...], kind: Dtype = Dtype.F32) -> Host:
    random = np.random.default_rng(seed)
    if kind is Dtype.F32:
        return random.normal(size=shape).astype(np.float32)
    return random.integers(0 if kind is Dtype.U32 else -(2**31), 2**31, shape).astype(KINDS[kind])


def operands(form: str, m: int, n: int, k: int) -> dict[str, tuple[int, ...]]:
    return {"a": (m, k) if form[0] == "n" else (k, m), "b": (k, n) if form[1] == "n" else (n, k)}


def assert_close(found: Host, a: Host, b: Host) -> None:
    """Within 1e-5 of the sum of the terms' sizes, and of the norm of the row."""
    exact = a.astype(np.float64) @ b.astype(np.float64)
    sizes = np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64)
    assert found.shape == exact.shape
    assert (np.abs(found - exact) <= 1e-5 * sizes + 1e-30).all()
    assert (np.linalg.norm(found - exact, axis=-1) <= 1e-5 * np.linalg.norm(exact, axis=-1)).all()


def check_product(form: str, shape: tuple[int, int, int], device: str) -> None:
    m, n, k = shape
    flat = flat_of(f"c[m, n] = sum(k) {FORMS[form]}", **operands(form, m, n, k))
    arrays = {"a": drawn(m, (m, k)), "b": drawn(n, (k, n))}
    given = {name: x if form[p] == "n" else np.ascontiguousarray(x.T) for p, (name, x) in enumerate(arrays.items())}
    assert_close(product(flat, contract(group_of(flat)), given, device), arrays["a"], arrays["b"])


@pytest.mark.parametrize("shape", SHAPES)
def test_every_transposition_of_every_shape(shape: tuple[int, int, int]) -> None:
    for form in FORMS:
        check_product(form, shape, "interpreter")


@pytest.mark.parametrize("device", ["wgpu", "dawn"])
@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_devices_agree(device: str, number: int) -> None:
    check_product([*FORMS][number % 4], SHAPES[number], device)


@pytest.mark.parametrize("tile", TILES, ids=lambda t: f"{t.rows}x{t.columns}x{t.depth}")
def test_every_tile(tile: Tile) -> None:
    for form, shape in (("nt", (133, 141, 20)), ("tn", (136, 260, 19)), ("nn", (260, 133, 24))):
        flat = flat_of(f"c[m, n] = sum(k) {FORMS[form]}", **operands(form, *shape))
        m, n, k = shape
        a, b = drawn(1, (m, k)), drawn(2, (k, n))
        given = {"a": a if form[0] == "n" else a.T.copy(), "b": b if form[1] == "n" else b.T.copy()}
        launch = contract(group_of(flat), tile)
        kernel = lower(launch.kernel)
        assert fault(kernel) is None
        assert naga_refusal(emit(kernel, Dialect.NAGA).text) is None
        assert tint_refusal(emit(kernel, Dialect.TINT).text) is None
        assert_close(product(flat, launch, given, "interpreter"), a, b)


def test_tiles_keep_to_portable_limits() -> None:
    for tile in TILES:
        assert tile.shared_bytes <= MOST_SHARED
        assert tile.threads <= 256


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shape", [(256, 256, 64), (127, 131, 129), (8, 4096, 64)])
def test_both_compilers_take_the_text(form: str, shape: tuple[int, int, int]) -> None:
    flat = flat_of(f"c[m, n] = sum(k) {FORMS[form]}", **operands(form, *shape))
    launch = contract(group_of(flat))
    kernel = lower(launch.kernel)
    assert fault(kernel) is None
    naga, tint = emit(kernel, Dialect.NAGA), emit(kernel, Dialect.TINT)
    assert naga_refusal(naga.text) is None
    assert tint_refusal(tint.text) is None
    assert naga.text.count("\n") <= 1200


@pytest.mark.parametrize(
    ("formula", "shapes", "einsum"),
    [
        ("c[b, m, n] = sum(k) a[b, m, k] * w[b, k, n]", {"a": (3, 65, 31), "w": (3, 31, 17)}, "bmk,bkn->bmn"),
        ("c[b, m, n] = sum(k) a[b, m, k] * w[k, n]", {"a": (3, 17, 12), "w": (12, 36)}, "bmk,kn->bmn"),
        ("c[m, n] = sum(b, k) a[b, m, k] * w[b, n, k]", {"a": (5, 17, 12), "w": (5, 36, 12)}, "bmk,bnk->mn"),
        ("c[m, h, n] = sum(k) a[m, h, k] * w[n, h, k]", {"a": (19, 3, 8), "w": (21, 3, 8)}, "mhk,nhk->mhn"),
        ("c[n, m, b] = sum(k) a[b, m, k] * w[b, k, n]", {"a": (3, 9, 31), "w": (3, 31, 17)}, "bmk,bkn->nmb"),
        ("c[i, j, n, o] = sum(k, l) a[i, k, j, l] * w[l, n, k, o]", {"a": (3, 5, 7, 4), "w": (4, 6, 5, 8)}, None),
    ],
)
def test_any_indices(formula: str, shapes: dict[str, tuple[int, ...]], einsum: str | None) -> None:
    flat = flat_of(formula, **shapes)
    a, w = (drawn(n, s) for n, s in enumerate(shapes.values()))
    exact = np.einsum(einsum or "ikjl,lnko->ijno", a.astype("f8"), w.astype("f8"))
    for device in DEVICES:
        found = product(flat, contract(group_of(flat)), {"a": a, "w": w}, device)
        np.testing.assert_allclose(found, exact, rtol=0, atol=1e-5 * np.linalg.norm(exact) / np.sqrt(exact.size) * 4)


def test_grids_of_more_workgroups_than_one_axis_has() -> None:
    flat = flat_of("c[b, m, n] = sum(k) a[b, m, k] * w[b, k, n]", a=(65537, 2, 2), w=(65537, 2, 2))
    a, w = drawn(1, (65537, 2, 2)), drawn(2, (65537, 2, 2))
    launch = contract(group_of(flat))
    assert launch.groups == 65537
    np.testing.assert_allclose(product(flat, launch, {"a": a, "w": w}, "wgpu"), a @ w, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", [Dtype.I32, Dtype.U32])
def test_whole_numbers_wrap_as_they_do_everywhere(kind: Dtype) -> None:
    given = f"given a[m, k]: {kind.value}, b[k, n]: {kind.value}\n"
    flat = flat_of(f"{given}c[m, n] = sum(k) a[m, k] * b[k, n]", a=(33, 129), b=(129, 20))
    a, b = drawn(1, (33, 129), kind), drawn(2, (129, 20), kind)
    for device in DEVICES:
        found = product(flat, contract(group_of(flat)), {"a": a, "b": b}, device)
        np.testing.assert_array_equal(found, a @ b)


def test_factors_that_nothing_is_summed_over_are_taken_out_of_the_sum() -> None:
    flat = flat_of("c[m, n] = mean(k) -2 * a[m, k] * s[n] * b[k, n] / d[m]", a=(33, 40), s=(20,), b=(40, 20), d=(33,))
    arrays = {"a": drawn(1, (33, 40)), "s": drawn(2, (20,)), "b": drawn(3, (40, 20)), "d": 1 + drawn(4, (33,)) ** 2}
    found = product(flat, contract(group_of(flat)), arrays, "interpreter")
    exact = -2 * (arrays["a"].astype("f8") @ arrays["b"]) * arrays["s"] / arrays["d"][:, None] / 40
    np.testing.assert_allclose(found, exact, rtol=1e-4, atol=1e-6)


def test_reads_beyond_an_array_are_their_fill() -> None:
    flat = flat_of("c[t, o] = sum(i, k) x[t + k - 1, i] * w[o, i, k]", x=(33, 8), w=(20, 8, 3))
    x, w = drawn(1, (33, 8)), drawn(2, (20, 8, 3))
    padded = np.pad(x, ((1, 1), (0, 0))).astype("f8")
    exact = sum(padded[k : k + 33] @ w[:, :, k].T for k in range(3))
    for device in DEVICES:
        found = product(flat, contract(group_of(flat)), {"x": x, "w": w}, device)
        np.testing.assert_allclose(found, exact, rtol=1e-4, atol=1e-5)


def test_long_sums_of_like_terms_stay_within_the_bound() -> None:
    flat = flat_of("c[m, n] = sum(k) a[m, k] * b[n, k]", a=(4, 4096), b=(4, 4096))
    a = np.full((4, 4096), 0.1, np.float32)
    found = product(flat, contract(group_of(flat)), {"a": a, "b": a}, "interpreter")
    assert_close(found, a, a.T)


def test_one_accumulator_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contract_body, "RUN", 8192)
    with pytest.raises(AssertionError):
        test_long_sums_of_like_terms_stay_within_the_bound()


def test_sums_in_runs_are_noted() -> None:
    long, short = (
        contract(group_of(flat_of("c[m, n] = sum(k) a[m, k] * b[n, k]", a=(4, k), b=(4, k)))) for k in (129, 128)
    )
    assert long.notes == ("product is summed in runs of 128 terms, then over them: another order than written",)
    assert short.notes == ()


def test_large_products_have_large_tiles_and_few_outputs_small_ones() -> None:
    assert tile_of([Work(1, 4096, 4096, 4096)]) == Tile(64, 128, 8, 8, 8)
    small = tile_of([Work(1, 64, 64, 64)])
    assert small.rows * small.columns <= 2048
