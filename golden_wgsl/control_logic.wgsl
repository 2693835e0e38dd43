// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/control.py:logic
// dialect: naga
// bindings: x read, y read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  on: u32,
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn logic(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let on = params.on != 0u;
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let positive = x[i] > 0i;
  let small = x[i] < 10i;
  var state = positive && small;
  state = state || (on && !positive);
  y[i] = u32(state) + u32(positive != small) * 2u + u32(on != small) * 4u + u32(positive == on) * 8u;
}
