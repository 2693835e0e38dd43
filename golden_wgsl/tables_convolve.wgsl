// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/tables.py:convolve
// dialect: naga
// bindings: x read, y read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

const weights = array<f32, 5>(0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f);

@compute @workgroup_size(64)
fn convolve(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  var total = 0.0f;
  for (var tap = 0u; tap < 5u; tap += 1u) {
    let j = i + tap;
    if (j >= 2u && j < params.n + 2u) {
      total = total + weights[tap] * x[j - 2u];
    }
  }
  y[i] = total;
}
