// shaderdsl golden, format 1
// op: shaderdsl.ops:causal_log_softmax.vjp
// dialect: naga
//
//   given x[b, i, j], fill, d_y[b, i, j]
//   z[b, i, j] = where(j <= i, x[b, i, j], -1e+30)
//   m[b, i] = max(j) z[b, i, j]
//   s[b, i] = sum(j) where(j <= i, exp(z[b, i, j] - m[b, i]), 0)
//   p[b, i] = sum(j) d_y[b, i, j] * where(j <= i, 1 / s[b, i], 0)
//   p2[b, i] = sum(j) d_y[b, i, j] * where(j <= i, -1, 0)
//   p3[b, i] = sum(j) where(z[b, i, j] == m[b, i], 1, 0)
//   d_x[b, i, j] = where(j <= i, d_y[b, i, j] + (s[b, i] * p[b, i] + p2[b, i]) * where(z[b, i, j] == m[b, i], 1 / p3[b, i], 0) - p[b, i] * where(j <= i, exp(z[b, i, j] - m[b, i]), 0), 0)
//
// causal_log_softmax_vjp_z: x read, z read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_vjp_m: z read, m read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_vjp_s: z read, m read, s read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_vjp_p: d_y read, s read, p read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_vjp_p2: d_y read, p2 read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_vjp_p3: z read, m read, p3 read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_vjp_d_x: d_y read, s read, p read, p2 read, z read, m read, p3 read, d_x read_write, params uniform; barriers 0, shared bytes 0

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
@group(0) @binding(1) var<storage, read> s_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;

@compute @workgroup_size(64)
fn causal_log_softmax_vjp_p(
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
    run = run + d_y[(b * params_1.i + i) * params_1.j + j] * select(0.0f, 1.0f / s_1[b * params_1.i + i], i32(j) <= i32(i));
    if ((j & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((j & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[b * params_1.i + i] = total + (long_run + run);
}

@group(0) @binding(1) var<storage, read_write> p2: array<f32>;

@compute @workgroup_size(64)
fn causal_log_softmax_vjp_p2(
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
    run = run + d_y[(b * params.i + i) * params.j + j] * f32(select(0i, -1i, i32(j) <= i32(i)));
    if ((j & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((j & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p2[b * params.i + i] = total + (long_run + run);
}

@group(0) @binding(2) var<storage, read_write> p3: array<i32>;

@compute @workgroup_size(64)
fn causal_log_softmax_vjp_p3(
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
  var total = 0i;
  for (var j = 0u; j < params_1.j; j += 1u) {
    total = total + select(0i, 1i, z_1[(b * params_1.i + i) * params_1.j + j] == m_1[b * params_1.i + i]);
  }
  p3[b * params_1.i + i] = total;
}

@group(0) @binding(2) var<storage, read> p_1: array<f32>;
@group(0) @binding(3) var<storage, read> p2_1: array<f32>;
@group(0) @binding(4) var<storage, read> z_2: array<f32>;
@group(0) @binding(5) var<storage, read> m_2: array<f32>;
@group(0) @binding(6) var<storage, read> p3_1: array<i32>;
@group(0) @binding(7) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(8) var<uniform> params_2: Params;

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
  let t = i32(j) <= i32(i);
  let p_value = p_1[b * params_2.i + i];
  let z_value = z_2[(b * params_2.i + i) * params_2.j + j];
  let m_value = m_2[b * params_2.i + i];
  d_x[(b * params_2.i + i) * params_2.j + j] = select(0.0f, d_y[(b * params_2.i + i) * params_2.j + j] + (s_1[b * params_2.i + i] * p_value + p2_1[b * params_2.i + i]) * select(0.0f, 1.0f / f32(p3_1[b * params_2.i + i]), z_value == m_value) - p_value * select(0.0f, exp(z_value - m_value), t), t);
}
