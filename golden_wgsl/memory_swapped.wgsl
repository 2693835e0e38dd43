// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/memory.py:swapped
// dialect: naga
// bindings: x read_write, log read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> log_: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn swapped(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let a = x[i * 2u];
  x[i * 2u] = x[i * 2u + 1u];
  x[i * 2u + 1u] = a;
  var total = a;
  let before = total;
  total = total + 1.0f;
  log_[i] = before * 1000.0f + total;
}
