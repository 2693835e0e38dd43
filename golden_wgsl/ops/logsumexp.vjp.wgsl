// shaderdsl golden, format 1
// op: shaderdsl.ops:logsumexp.vjp
// dialect: naga
//
//   given x[b, i], d_y[b]
//   m[b] = max(i) x[b, i]
//   s[b] = sum(i) exp(x[b, i] - m[b])
//   d_x[b, i] = d_y[b] * exp(x[b, i] - m[b]) / s[b]
//
// logsumexp_vjp_m: x read, m read_write, params uniform; barriers 0, shared bytes 0
// logsumexp_vjp_s: x read, m read, s read_write, params uniform; barriers 0, shared bytes 0
// logsumexp_vjp_d_x: d_y read, x read, m read, s read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> m: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn logsumexp_vjp_m(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  var best = 0.0f;
  for (var i = 0u; i < params.i; i += 1u) {
    let x_value = x[b * params.i + i];
    best = select(max(best, x_value), x_value, i == 0u);
  }
  m[b] = best;
}

@group(0) @binding(1) var<storage, read> m_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> s: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn logsumexp_vjp_s(
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
    run = run + exp(x[b * params_1.i + i] - m_1[b]);
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  s[b] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read> x_1: array<f32>;
@group(0) @binding(2) var<storage, read> m_2: array<f32>;
@group(0) @binding(3) var<storage, read> s_1: array<f32>;
@group(0) @binding(4) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(5) var<uniform> params_2: Params;

@compute @workgroup_size(64)
fn logsumexp_vjp_d_x(
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
  d_x[b * params_2.i + i] = d_y[b] * exp(x_1[b * params_2.i + i] - m_2[b]) / s_1[b];
}
