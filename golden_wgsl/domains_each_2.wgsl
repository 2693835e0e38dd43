// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/domains.py:each_2
// dialect: naga
// bindings: y read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  rows: u32,
  cols: u32,
}

@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(8, 4)
fn each_2(
  @builtin(local_invocation_id) local_invocation_id: vec3u,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let groups_x = (params.cols + 7u) / 8u;
  let row = group / groups_x * 4u + local_invocation_id.y;
  let column = group % groups_x * 8u + local_invocation_id.x;
  if (row >= params.rows || column >= params.cols) {
    return;
  }
  y[row * params.cols + column] = row * 1000u + column;
}
