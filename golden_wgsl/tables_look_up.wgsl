// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/tables.py:look_up
// dialect: naga
// bindings: x read, y read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<i32>;
@group(0) @binding(2) var<uniform> params: Params;

const deltas = array<i32, 4>(-1i, 0i, 2147483647i, i32(-2147483648));
const skip = array<bool, 2>(true, false);

@compute @workgroup_size(64)
fn look_up(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  y[i] = select(deltas[x[i] & 3u], 0i, skip[x[i] & 1u]);
}
