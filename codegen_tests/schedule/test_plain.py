"""The plain schedule: what it writes, that both compilers take it, and that nothing of a shape is in it."""

from __future__ import annotations

import numpy as np
import pytest

from codegen_tests.spec.formulas import FORMULAS
from shaderdsl.corridor import lower
from shaderdsl.ir.verify import fault
from shaderdsl.operation import op
from shaderdsl.runtime.validate import naga_refusal, tint_refusal
from shaderdsl.schedule.plain import live, plan
from shaderdsl.spec.parse import parse_spec
from shaderdsl.wgsl.module import Dialect, emit

NO_BACKWARD = {"quantised_rows", "argmax"}

MATMUL = """\
struct Params {
  m: u32,
  n: u32,
  k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn gemm_c(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.m * params.n) {
    return;
  }
  let n = point % params.n;
  let m = point / params.n;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var k = 0u; k < params.k; k += 1u) {
    run = run + a[m * params.k + k] * b[k * params.n + n];
    if ((k & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((k & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  c[m * params.n + n] = total + (long_run + run);
}
"""
BODIES = {
    "conv1d": "run = run + w[d * params.k + k] * select(0.0f, x[select(0u, (b * params.t + t_1) * params.d + d, t_2)], t_2);",
    "embedding": "x[(b * params.t + t) * params.c + c] = select(0.0f, w[select(0u, t_1 * params.c + c, t_2)], t_2) + pos[t * params.c + c];",
    "softmax": "e[at_0 * params.j + j] = exp(x[at_0 * params.j + j] - m[at_0]);",
    "flash": "let t = o_now * p[q * params.u + u] + w[q * params.u + u] * v[u * params.d + d];",
}
"""A line of the text of each."""


def test_a_product_of_matrices() -> None:
    assert op("gemm", FORMULAS["gemm"].formula).wgsl() == MATMUL


@pytest.mark.parametrize("name", BODIES)
def test_a_line_of_each_kind(name: str) -> None:
    texts = [emit(lower(k)).text for k in op(name, FORMULAS[name].formula).kernels()]
    assert BODIES[name] in [line.strip() for text in texts for line in text.splitlines()], "\n".join(texts)


@pytest.mark.parametrize("name", FORMULAS)
def test_both_compilers_take_every_kernel(name: str) -> None:
    forward = op(name, FORMULAS[name].formula)
    for operation in [forward] if name in NO_BACKWARD else [forward, forward.vjp]:
        for kernel in operation.kernels():
            assert fault(kernel) is None
            assert len(kernel.buffers) <= 8
            for dialect, refusal in ((Dialect.NAGA, naga_refusal), (Dialect.TINT, tint_refusal)):
                shader = emit(lower(kernel), dialect)
                assert refusal(shader.text, [shader.entry_point]) is None


def test_text_is_the_same_for_all_shapes_and_times() -> None:
    spec = parse_spec("softmax", FORMULAS["softmax"].formula)
    first, second = (["\n".join(emit(lower(s.kernel)).text for s in plan(spec, {"x": 2}))] for _ in range(2))
    assert first == second


def test_stages_that_nothing_needs_are_left_out() -> None:
    spec = parse_spec("two", "a[i] = x[i] + 1\nb[i] = x[i] * 2\nout(b)")
    assert live(spec) == {1}
    assert [s.made[0].name for s in plan(spec, {"x": 1})] == ["b"]


@pytest.mark.parametrize("count", [7, 8, 9, 20])
def test_wide_stages_are_split(count: int, executor_name: str) -> None:
    names = [f"x{n}" for n in range(count)]
    wide = op("wide", f"y[i] = sum(j) {' + '.join(f'{n}[i, j]' for n in names)}")
    assert len(wide.kernels()) == (1 if count <= 7 else 2 if count <= 13 else 4)
    arguments = {n: np.random.default_rng(i).normal(size=(3, 5)) for i, n in enumerate(names)}
    expected = np.stack(list(arguments.values())).sum((0, 2))
    np.testing.assert_allclose(wide(**arguments, device=executor_name), expected, atol=1e-5)


def test_a_wide_scan_is_split(executor_name: str) -> None:
    names = [f"x{n}" for n in range(9)]
    wide = op("wide", f"h[t] = scan(t) {' + '.join(f'{n}[t]' for n in names)} + 0.5 * h[t - 1] * x0[t]")
    assert all(len(k.buffers) <= 8 for k in wide.kernels())
    arguments = {n: np.random.default_rng(i).normal(size=11) for i, n in enumerate(names)}
    np.testing.assert_allclose(wide(**arguments, device=executor_name), wide.reference(**arguments), atol=1e-5)


@pytest.mark.parametrize("count", [4096, 5003])
def test_sums_keep_their_bound(count: int, executor_name: str) -> None:
    total = op("total", "y[i] = sum(j) x[i, j]\nm[i] = mean(j) x[i, j]\nout(y, m)")
    x = np.random.default_rng(0).uniform(0.5, 1.5, size=(3, count)).astype(np.float32)
    found, expected = total(x, device=executor_name), total.reference(x)
    bound = (34 + count / 256) * 2.0**-24
    assert np.all(np.abs(found["y"] - expected["y"]) <= bound * np.abs(x.astype(float)).sum(1))
    np.testing.assert_allclose(found["m"], expected["m"], rtol=1e-6)


def test_a_sum_in_one_accumulator_would_not_keep_it() -> None:
    x = np.full(65536, 0.1, np.float32)
    exact = x.astype(float).sum()
    assert abs(np.cumsum(x, dtype=np.float32)[-1] - exact) > (34 + len(x) / 256) * 2.0**-24 * exact
