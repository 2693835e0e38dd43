// shaderdsl golden, format 1
// op: shaderdsl.ops:cumulative_sum.vjp
// dialect: naga
//
//   given x[b, t], d_y[b, t]
//   c_y[b, t] = scan(t) d_y[b, t] + c_y[b, t + 1]
//   d_x[b, t] = c_y[b, t]
//
// cumulative_sum_vjp_c_y: d_y read, c_y read_write, params uniform; barriers 0, shared bytes 0
// cumulative_sum_vjp_d_x: c_y read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read_write> c_y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn cumulative_sum_vjp_c_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  var c_y_now = 0.0f;
  for (var step_ = 0u; step_ < params.t; step_ += 1u) {
    let t = params.t - 1u - step_;
    let t_1 = d_y[b * params.t + t] + c_y_now;
    c_y_now = t_1;
    c_y[b * params.t + t] = t_1;
  }
}

@group(0) @binding(0) var<storage, read> c_y_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_x: array<f32>;

@compute @workgroup_size(64)
fn cumulative_sum_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.b * params.t) {
    return;
  }
  let t = point % params.t;
  let b = point / params.t;
  d_x[b * params.t + t] = c_y_1[b * params.t + t];
}
