// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/reduce.py:partial_sums
// dialect: naga
// bindings: x read, sums read_write, params uniform
// barriers: 7
// shared bytes: 256

struct Params {
  groups: u32,
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> tile: array<f32, 64>;

@compute @workgroup_size(64)
fn partial_sums(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (group >= params.groups) {
    return;
  }
  let i = group * 64u + local_invocation_index;
  tile[local_invocation_index] = 0.0f;
  if (i < params.n) {
    tile[local_invocation_index] = x[i];
  }
  workgroupBarrier();
  if (local_invocation_index < 32u) {
    tile[local_invocation_index] = tile[local_invocation_index] + tile[local_invocation_index + 32u];
  }
  workgroupBarrier();
  if (local_invocation_index < 16u) {
    tile[local_invocation_index] = tile[local_invocation_index] + tile[local_invocation_index + 16u];
  }
  workgroupBarrier();
  if (local_invocation_index < 8u) {
    tile[local_invocation_index] = tile[local_invocation_index] + tile[local_invocation_index + 8u];
  }
  workgroupBarrier();
  if (local_invocation_index < 4u) {
    tile[local_invocation_index] = tile[local_invocation_index] + tile[local_invocation_index + 4u];
  }
  workgroupBarrier();
  if (local_invocation_index < 2u) {
    tile[local_invocation_index] = tile[local_invocation_index] + tile[local_invocation_index + 2u];
  }
  workgroupBarrier();
  if (local_invocation_index < 1u) {
    tile[local_invocation_index] = tile[local_invocation_index] + tile[local_invocation_index + 1u];
  }
  workgroupBarrier();
  if (local_invocation_index == 0u) {
    sums[group] = tile[0u];
  }
}
