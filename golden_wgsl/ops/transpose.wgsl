// shaderdsl golden, format 1
// op: shaderdsl.ops:transpose
// dialect: naga
//
//   given x[..., i, j]
//   y[..., j, i] = x[..., i, j]
//
// transpose_y: x read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
  j: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn transpose_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.lead_0 * params.j * params.i) {
    return;
  }
  let i = point % params.i;
  let rest = point / params.i;
  let j = rest % params.j;
  let at_0 = rest / params.j;
  y[(at_0 * params.j + j) * params.i + i] = x[(at_0 * params.i + i) * params.j + j];
}
