// shaderdsl golden, format 1
// op: shaderdsl.ops:linear_recurrence.vjp
// dialect: naga
//
//   given a[b, t], u[b, t], d_h[b, t]
//   h[b, t] = scan(t) h[b, t - 1] * a[b, t] + u[b, t]
//   c_h[b, t] = scan(t) d_h[b, t] + a[b, t + 1] * c_h[b, t + 1]
//   d_a[b, t] = h[b, t - 1] * c_h[b, t]
//   d_u[b, t] = c_h[b, t]
//   out(d_a, d_u)
//
// linear_recurrence_vjp_h: a read, u read, h read_write, params uniform; barriers 0, shared bytes 0
// linear_recurrence_vjp_c_h: d_h read, a read, c_h read_write, params uniform; barriers 0, shared bytes 0
// linear_recurrence_vjp_d_a: h read, c_h read, d_a read_write, params uniform; barriers 0, shared bytes 0
// linear_recurrence_vjp_d_u: c_h read, d_u read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> u: array<f32>;
@group(0) @binding(2) var<storage, read_write> h: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn linear_recurrence_vjp_h(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  var h_now = 0.0f;
  for (var t = 0u; t < params.t; t += 1u) {
    let t_1 = h_now * a[b * params.t + t] + u[b * params.t + t];
    h_now = t_1;
    h[b * params.t + t] = t_1;
  }
}

@group(0) @binding(0) var<storage, read> d_h: array<f32>;
@group(0) @binding(1) var<storage, read> a_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> c_h: array<f32>;

@compute @workgroup_size(64)
fn linear_recurrence_vjp_c_h(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  var c_h_now = 0.0f;
  for (var step_ = 0u; step_ < params.t; step_ += 1u) {
    let t = params.t - 1u - step_;
    let t_1 = u32(i32(t) + 1i);
    let t_2 = t_1 < params.t;
    let t_3 = d_h[b * params.t + t] + select(0.0f, a_1[select(0u, b * params.t + t_1, t_2)], t_2) * c_h_now;
    c_h_now = t_3;
    c_h[b * params.t + t] = t_3;
  }
}

@group(0) @binding(0) var<storage, read> h_1: array<f32>;
@group(0) @binding(1) var<storage, read> c_h_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_a: array<f32>;

@compute @workgroup_size(64)
fn linear_recurrence_vjp_d_a(
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
  let t_1 = u32(i32(t) - 1i);
  let t_2 = t_1 < params.t;
  d_a[b * params.t + t] = select(0.0f, h_1[select(0u, b * params.t + t_1, t_2)], t_2) * c_h_1[b * params.t + t];
}

@group(0) @binding(0) var<storage, read> c_h_2: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_u: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn linear_recurrence_vjp_d_u(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.b * params_1.t) {
    return;
  }
  let t = point % params_1.t;
  let b = point / params_1.t;
  d_u[b * params_1.t + t] = c_h_2[b * params_1.t + t];
}
