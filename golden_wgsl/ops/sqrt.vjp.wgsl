// shaderdsl golden, format 1
// op: shaderdsl.ops:sqrt.vjp
// dialect: naga
//
//   given x[b], d_y[b]
//   y[b] = sqrt(x[b])
//   d_x[b] = 0.5 * d_y[b] / y[b]
//
// sqrt_vjp_y: x read, y read_write, params uniform; barriers 0, shared bytes 0
// sqrt_vjp_d_x: d_y read, y read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn sqrt_vjp_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  y[b] = sqrt(x[b]);
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read> y_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn sqrt_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params_1.b) {
    return;
  }
  d_x[b] = 0.5f * d_y[b] / y_1[b];
}
