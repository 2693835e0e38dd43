// shaderdsl golden, format 1
// op: shaderdsl.ops:fill
// dialect: naga
//
//   given n: i32, value
//   y[i < n] = value
//
// fill_y: y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  value: f32,
  i: u32,
}

@group(0) @binding(0) var<storage, read_write> y: array<f32>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(64)
fn fill_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.i) {
    return;
  }
  y[i] = params.value;
}
