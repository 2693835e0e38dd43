// shaderdsl golden, format 1
// op: shaderdsl.ops:log_softmax.vjp
// dialect: naga
//
//   given x[b, j], d_y[b, j]
//   m[b] = max(j) x[b, j]
//   s[b] = sum(j) exp(x[b, j] - m[b])
//   p[b] = sum(j) d_y[b, j]
//   d_x[b, j] = d_y[b, j] - p[b] * exp(x[b, j] - m[b]) / s[b]
//
// log_softmax_vjp_m: x read, m read_write, params uniform; barriers 0, shared bytes 0
// log_softmax_vjp_s: x read, m read, s read_write, params uniform; barriers 0, shared bytes 0
// log_softmax_vjp_p: d_y read, p read_write, params uniform; barriers 0, shared bytes 0
// log_softmax_vjp_d_x: d_y read, p read, x read, m read, s read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  j: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> m: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn log_softmax_vjp_m(
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
@group(0) @binding(2) var<storage, read_write> s: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn log_softmax_vjp_s(
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
    run = run + exp(x[b * params_1.j + j] - m_1[b]);
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

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read_write> p: array<f32>;

@compute @workgroup_size(64)
fn log_softmax_vjp_p(
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
    run = run + d_y[b * params.j + j];
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

@group(0) @binding(1) var<storage, read> p_1: array<f32>;
@group(0) @binding(2) var<storage, read> x_1: array<f32>;
@group(0) @binding(3) var<storage, read> m_2: array<f32>;
@group(0) @binding(4) var<storage, read> s_1: array<f32>;
@group(0) @binding(5) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(6) var<uniform> params_2: Params;

@compute @workgroup_size(64)
fn log_softmax_vjp_d_x(
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
  d_x[b * params_2.j + j] = d_y[b * params_2.j + j] - p_1[b] * exp(x_1[b * params_2.j + j] - m_2[b]) / s_1[b];
}
