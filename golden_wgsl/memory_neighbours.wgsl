// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/memory.py:neighbours
// dialect: naga
// bindings: x read_write, params uniform
// barriers: 2
// shared bytes: 0

struct Params {
  rows: u32,
}

@group(0) @binding(0) var<storage, read_write> x: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(32)
fn neighbours(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let row = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (row >= params.rows) {
    return;
  }
  x[row * 32u + local_invocation_index] = x[row * 32u + local_invocation_index] * 2u;
  storageBarrier();
  let next_one = x[row * 32u + (local_invocation_index + 1u) % 32u];
  storageBarrier();
  x[row * 32u + local_invocation_index] = next_one + local_invocation_index;
}
