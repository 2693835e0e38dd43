// shaderdsl golden, format 1
// op: shaderdsl.ops:causal_log_softmax.vjp
// dialect: naga
//
//   given x[b, i, j], fill, d_y[b, i, j]
//   z[b, i, j] = where(j <= i, x[b, i, j], -1e+30)
//   m[b, i] = max(j) z[b, i, j]
//   s[b, i] = sum(j) where(j <= i, exp(z[b, i, j] - m[b, i]), 0)
//   p[b, i] = sum(j) where(j <= i, d_y[b, i, j], 0)
//   d_x[b, i, j] = where(j <= i, d_y[b, i, j] - p[b, i] * exp(z[b, i, j] - m[b, i]) / s[b, i], 0)
//
// causal_log_softmax_vjp_z: x read, z read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_vjp_m: z read, m read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_vjp_s: z read, m read, s read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_vjp_p: d_y read, p read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_vjp_d_x: d_y read, p read, z read, m read, s read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  i: u32,
  j: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> z: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn causal_log_softmax_vjp_z(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.b * params.i * params.j) {
    return;
  }
  let j = point % params.j;
  let rest = point / params.j;
  let i = rest % params.i;
  let b = rest / params.i;
  z[(b * params.i + i) * params.j + j] = select(-1e30f, x[(b * params.i + i) * params.j + j], i32(j) <= i32(i));
}

@group(0) @binding(0) var<storage, read> z_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> m: array<f32>;

@compute @workgroup_size(64)
fn causal_log_softmax_vjp_m(
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
  var best = 0.0f;
  for (var j = 0u; j < params.j; j += 1u) {
    let z_value = z_1[(b * params.i + i) * params.j + j];
    best = select(max(best, z_value), z_value, j == 0u);
  }
  m[b * params.i + i] = best;
}

@group(0) @binding(1) var<storage, read> m_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> s: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn causal_log_softmax_vjp_s(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.b * params_1.i) {
    return;
  }
  let i = point % params_1.i;
  let b = point / params_1.i;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var j = 0u; j < params_1.j; j += 1u) {
    run = run + select(0.0f, exp(z_1[(b * params_1.i + i) * params_1.j + j] - m_1[b * params_1.i + i]), i32(j) <= i32(i));
    if ((j & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((j & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  s[b * params_1.i + i] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read_write> p: array<f32>;

@compute @workgroup_size(64)
fn causal_log_softmax_vjp_p(
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
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var j = 0u; j < params.j; j += 1u) {
    run = run + select(0.0f, d_y[(b * params.i + i) * params.j + j], i32(j) <= i32(i));
    if ((j & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((j & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[b * params.i + i] = total + (long_run + run);
}

@group(0) @binding(1) var<storage, read> p_1: array<f32>;
@group(0) @binding(2) var<storage, read> z_2: array<f32>;
@group(0) @binding(3) var<storage, read> m_2: array<f32>;
@group(0) @binding(4) var<storage, read> s_1: array<f32>;
@group(0) @binding(5) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(6) var<uniform> params_2: Params;

@compute @workgroup_size(64)
fn causal_log_softmax_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.b * params_2.i * params_2.j) {
    return;
  }
  let j = point % params_2.j;
  let rest = point / params_2.j;
  let i = rest % params_2.i;
  let b = rest / params_2.i;
  d_x[(b * params_2.i + i) * params_2.j + j] = select(0.0f, d_y[(b * params_2.i + i) * params_2.j + j] - p_1[b * params_2.i + i] * exp(z_2[(b * params_2.i + i) * params_2.j + j] - m_2[b * params_2.i + i]) / s_1[b * params_2.i + i], i32(j) <= i32(i));
}
