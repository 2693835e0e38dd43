// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/scan.py:doubling
// dialect: naga
// bindings: x read, y read_write, params uniform
// barriers: 11
// shared bytes: 128

struct Params {
  rows: u32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> line: array<u32, 32>;

@compute @workgroup_size(32)
fn doubling(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let row = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (row >= params.rows) {
    return;
  }
  line[local_invocation_index] = x[row * 32u + local_invocation_index];
  workgroupBarrier();
  var added = 0u;
  if (local_invocation_index >= 1u) {
    added = line[local_invocation_index - 1u];
  }
  workgroupBarrier();
  line[local_invocation_index] = line[local_invocation_index] + added;
  workgroupBarrier();
  var added_1 = 0u;
  if (local_invocation_index >= 2u) {
    added_1 = line[local_invocation_index - 2u];
  }
  workgroupBarrier();
  line[local_invocation_index] = line[local_invocation_index] + added_1;
  workgroupBarrier();
  var added_2 = 0u;
  if (local_invocation_index >= 4u) {
    added_2 = line[local_invocation_index - 4u];
  }
  workgroupBarrier();
  line[local_invocation_index] = line[local_invocation_index] + added_2;
  workgroupBarrier();
  var added_3 = 0u;
  if (local_invocation_index >= 8u) {
    added_3 = line[local_invocation_index - 8u];
  }
  workgroupBarrier();
  line[local_invocation_index] = line[local_invocation_index] + added_3;
  workgroupBarrier();
  var added_4 = 0u;
  if (local_invocation_index >= 16u) {
    added_4 = line[local_invocation_index - 16u];
  }
  workgroupBarrier();
  line[local_invocation_index] = line[local_invocation_index] + added_4;
  workgroupBarrier();
  y[row * 32u + local_invocation_index] = line[local_invocation_index];
}
