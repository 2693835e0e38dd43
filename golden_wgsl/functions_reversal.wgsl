// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/functions.py:reversal
// dialect: naga
// bindings: x read, y read_write, params uniform
// barriers: 1
// shared bytes: 32

struct Params {
  rows: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> tile: array<f32, 8>;

fn meet() {
  workgroupBarrier();
}

@compute @workgroup_size(8)
fn reversal(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let row = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (row >= params.rows) {
    return;
  }
  tile[local_invocation_index] = x[row * 8u + local_invocation_index];
  meet();
  y[row * 8u + local_invocation_index] = tile[7u - local_invocation_index];
}
