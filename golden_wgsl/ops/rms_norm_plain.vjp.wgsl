// shaderdsl golden, format 1
// op: shaderdsl.ops:rms_norm_plain.vjp
// dialect: naga
//
//   given x[b, i], eps, d_y[b, i]
//   q[b] = mean(i) x[b, i] ** 2
//   r[b] = rsqrt(q[b] + eps)
//   p[b] = sum(i) x[b, i] * d_y[b, i]
//   d_x[b, i] = r[b] * (d_y[b, i] - x[b, i] * r[b] ** 2 * p[b] / size(i))
//
// rms_norm_plain_vjp_q: x read, q read_write, params uniform; barriers 0, shared bytes 0
// rms_norm_plain_vjp_r: q read, r read_write, params uniform; barriers 0, shared bytes 0
// rms_norm_plain_vjp_p: x read, d_y read, p read_write, params uniform; barriers 0, shared bytes 0
// rms_norm_plain_vjp_d_x: r read, d_y read, x read, p read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> q: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn rms_norm_plain_vjp_q(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var i = 0u; i < params.i; i += 1u) {
    let x_value = x[b * params.i + i];
    run = run + x_value * x_value;
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  q[b] = (total + (long_run + run)) / f32(params.i);
}

struct Params_1 {
  eps: f32,
  b: u32,
}

@group(0) @binding(0) var<storage, read> q_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> r: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn rms_norm_plain_vjp_r(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params_1.b) {
    return;
  }
  r[b] = inverseSqrt(q_1[b] + params_1.eps);
}

@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;
@group(0) @binding(3) var<uniform> params_2: Params;

@compute @workgroup_size(64)
fn rms_norm_plain_vjp_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params_2.b) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var i = 0u; i < params_2.i; i += 1u) {
    run = run + x[b * params_2.i + i] * d_y[b * params_2.i + i];
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[b] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> r_1: array<f32>;
@group(0) @binding(2) var<storage, read> x_1: array<f32>;
@group(0) @binding(3) var<storage, read> p_1: array<f32>;
@group(0) @binding(4) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(5) var<uniform> params_3: Params;

@compute @workgroup_size(64)
fn rms_norm_plain_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.b * params_3.i) {
    return;
  }
  let i = point % params_3.i;
  let b = point / params_3.i;
  let r_value = r_1[b];
  d_x[b * params_3.i + i] = r_value * (d_y[b * params_3.i + i] - x_1[b * params_3.i + i] * (r_value * r_value) * p_1[b] / f32(params_3.i));
}
