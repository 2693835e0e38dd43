// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/domains.py:each_3
// dialect: naga
// bindings: y read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  planes: u32,
  rows: u32,
}

@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(4, 4, 2)
fn each_3(
  @builtin(local_invocation_id) local_invocation_id: vec3u,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let t = group / 2u;
  let groups_y = (params.rows + 3u) / 4u;
  let plane = t / groups_y * 2u + local_invocation_id.z;
  let row = t % groups_y * 4u + local_invocation_id.y;
  let column = group % 2u * 4u + local_invocation_id.x;
  if (plane >= params.planes || row >= params.rows || column >= 5u) {
    return;
  }
  y[(plane * params.rows + row) * 5u + column] = (plane * 100u + row) * 100u + column;
}
