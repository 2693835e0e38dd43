// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/memory.py:transposed
// dialect: naga
// bindings: x read, y read_write, params uniform
// barriers: 1
// shared bytes: 288

struct Params {
  rows: u32,
  cols: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> tile: array<f32, 72>;

@compute @workgroup_size(8, 8)
fn transposed(
  @builtin(local_invocation_id) local_invocation_id: vec3u,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let r = group / ((params.cols + 7u) / 8u);
  let c = group % ((params.cols + 7u) / 8u);
  if (r >= (params.rows + 7u) / 8u) {
    return;
  }
  if (r * 8u + local_invocation_id.y < params.rows && c * 8u + local_invocation_id.x < params.cols) {
    tile[local_invocation_id.y * 9u + local_invocation_id.x] = x[(r * 8u + local_invocation_id.y) * params.cols + (c * 8u + local_invocation_id.x)];
  }
  workgroupBarrier();
  if (c * 8u + local_invocation_id.y < params.cols && r * 8u + local_invocation_id.x < params.rows) {
    y[(c * 8u + local_invocation_id.y) * params.rows + (r * 8u + local_invocation_id.x)] = tile[local_invocation_id.x * 9u + local_invocation_id.y];
  }
}
