// shaderdsl golden, format 1
// op: shaderdsl.ops:layer_norm.vjp
// dialect: naga
//
//   given x[b, i], eps, d_y[b, i], mu[b], r[b]
//   c[b, i] = x[b, i] - mu[b]
//   y[b, i] = c[b, i] * r[b]
//   p[b] = sum(i) y[b, i] * d_y[b, i]
//   p2[b] = sum(i) d_y[b, i]
//   d_x[b, i] = r[b] * (d_y[b, i] - y[b, i] * p[b] / size(i) - p2[b] / size(i))
//
// layer_norm_vjp_c: x read, mu read, c read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_vjp_y: c read, r read, y read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_vjp_p: y read, d_y read, p read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_vjp_p2: d_y read, p2 read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_vjp_d_x: r read, d_y read, y read, p read, p2 read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> mu: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn layer_norm_vjp_c(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.b * params.i) {
    return;
  }
  let i = point % params.i;
  let b = point / params.i;
  c[b * params.i + i] = x[b * params.i + i] - mu[b];
}

@group(0) @binding(0) var<storage, read> c_1: array<f32>;
@group(0) @binding(1) var<storage, read> r: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn layer_norm_vjp_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.b * params.i) {
    return;
  }
  let i = point % params.i;
  let b = point / params.i;
  y[b * params.i + i] = c_1[b * params.i + i] * r[b];
}

@group(0) @binding(0) var<storage, read> y_1: array<f32>;
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;

@compute @workgroup_size(64)
fn layer_norm_vjp_p(
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
    run = run + y_1[b * params.i + i] * d_y[b * params.i + i];
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

@group(0) @binding(0) var<storage, read> d_y_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> p2: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn layer_norm_vjp_p2(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params_1.b) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var i = 0u; i < params_1.i; i += 1u) {
    run = run + d_y_1[b * params_1.i + i];
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p2[b] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> r_1: array<f32>;
@group(0) @binding(2) var<storage, read> y_2: array<f32>;
@group(0) @binding(3) var<storage, read> p_1: array<f32>;
@group(0) @binding(4) var<storage, read> p2_1: array<f32>;
@group(0) @binding(5) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(6) var<uniform> params_2: Params;

@compute @workgroup_size(64)
fn layer_norm_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.b * params_2.i) {
    return;
  }
  let i = point % params_2.i;
  let b = point / params_2.i;
  d_x[b * params_2.i + i] = r_1[b] * (d_y[b * params_2.i + i] - y_2[b * params_2.i + i] * p_1[b] / f32(params_2.i) - p2_1[b] / f32(params_2.i));
}
