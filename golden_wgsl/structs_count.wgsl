// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/structs.py:count
// dialect: naga
// bindings: x read, counters read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Counter {
  total: atomic<i32>,
  limit: i32,
}

struct Params {
  n: u32,
  m: u32,
}

@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read_write> counters: array<Counter>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn count(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let slot = i % params.m;
  if (x[i] < counters[slot].limit) {
    atomicAdd(&counters[slot].total, x[i]);
  }
}
