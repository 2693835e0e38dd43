// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/atomics.py:histogram
// dialect: naga
// bindings: x read, counts read_write, params uniform
// barriers: 2
// shared bytes: 64

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> local: array<atomic<u32>, 16>;

@compute @workgroup_size(64)
fn histogram(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (group >= (params.n + 63u) / 64u) {
    return;
  }
  let i = group * 64u + local_invocation_index;
  if (local_invocation_index < 16u) {
    atomicStore(&local[local_invocation_index], 0u);
  }
  workgroupBarrier();
  if (i < params.n) {
    atomicAdd(&local[x[i] & 15u], 1u);
  }
  workgroupBarrier();
  if (local_invocation_index < 16u) {
    let old = atomicLoad(&local[local_invocation_index]);
    atomicAdd(&counts[local_invocation_index], old);
  }
}
