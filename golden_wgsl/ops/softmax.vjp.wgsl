// shaderdsl golden, format 1
// op: shaderdsl.ops:softmax.vjp
// dialect: naga
//
//   given x[b, j], d_y[b, j]
//   m[b] = max(j) x[b, j]
//   e[b, j] = exp(x[b, j] - m[b])
//   s[b] = sum(j) e[b, j]
//   y[b, j] = e[b, j] / s[b]
//   p[b] = sum(j) y[b, j] * d_y[b, j]
//   d_x[b, j] = y[b, j] * (d_y[b, j] - p[b])
//
// softmax_vjp_m: x read, m read_write, params uniform; barriers 0, shared bytes 0
// softmax_vjp_e: x read, m read, e read_write, params uniform; barriers 0, shared bytes 0
// softmax_vjp_s: e read, s read_write, params uniform; barriers 0, shared bytes 0
// softmax_vjp_y: e read, s read, y read_write, params uniform; barriers 0, shared bytes 0
// softmax_vjp_p: y read, d_y read, p read_write, params uniform; barriers 0, shared bytes 0
// softmax_vjp_d_x: y read, d_y read, p read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  j: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> m: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn softmax_vjp_m(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  var best = 0.0f;
  for (var j = 0u; j < params.j; j += 1u) {
    let x_value = x[b * params.j + j];
    best = select(max(best, x_value), x_value, j == 0u);
  }
  m[b] = best;
}

@group(0) @binding(1) var<storage, read> m_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> e: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn softmax_vjp_e(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.b * params_1.j) {
    return;
  }
  let j = point % params_1.j;
  let b = point / params_1.j;
  e[b * params_1.j + j] = exp(x[b * params_1.j + j] - m_1[b]);
}

@group(0) @binding(0) var<storage, read> e_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> s: array<f32>;

@compute @workgroup_size(64)
fn softmax_vjp_s(
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
  for (var j = 0u; j < params.j; j += 1u) {
    run = run + e_1[b * params.j + j];
    if ((j & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((j & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  s[b] = total + (long_run + run);
}

@group(0) @binding(1) var<storage, read> s_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn softmax_vjp_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.b * params_1.j) {
    return;
  }
  let j = point % params_1.j;
  let b = point / params_1.j;
  y[b * params_1.j + j] = e_1[b * params_1.j + j] / s_1[b];
}

@group(0) @binding(0) var<storage, read> y_1: array<f32>;
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;

@compute @workgroup_size(64)
fn softmax_vjp_p(
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
  for (var j = 0u; j < params_1.j; j += 1u) {
    run = run + y_1[b * params_1.j + j] * d_y[b * params_1.j + j];
    if ((j & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((j & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[b] = total + (long_run + run);
}

@group(0) @binding(2) var<storage, read> p_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(4) var<uniform> params_2: Params;

@compute @workgroup_size(64)
fn softmax_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.b * params_2.j) {
    return;
  }
  let j = point % params_2.j;
  let b = point / params_2.j;
  d_x[b * params_2.j + j] = y_1[b * params_2.j + j] * (d_y[b * params_2.j + j] - p_1[b]);
}
