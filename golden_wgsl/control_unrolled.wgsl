// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/control.py:unrolled
// dialect: naga
// statics: taps=3
// bindings: x read, y read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn unrolled(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  var total = 0.0f;
  total = total + 0.25f * x[i];
  if (i + 1u < params.n) {
    total = total + 0.5f * x[i + 1u];
  }
  if (i + 2u < params.n) {
    total = total + 0.75f * x[i + 2u];
  }
  y[i] = total;
}
