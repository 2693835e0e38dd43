// shaderdsl golden, format 1
// op: shaderdsl.ops:causal_log_softmax
// dialect: naga
//
//   given x[..., i, j], fill
//   z[..., i, j] = where(j <= i, x[..., i, j], -1e+30)
//   m[..., i] = max(j) z[..., i, j]
//   s[..., i] = sum(j) where(j <= i, exp(z[..., i, j] - m[..., i]), 0)
//   y[..., i, j] = where(j <= i, x[..., i, j] - m[..., i] - log(s[..., i]), fill)
//
// causal_log_softmax_z: x read, z read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_m: z read, m read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_s: z read, m read, s read_write, params uniform; barriers 0, shared bytes 0
// causal_log_softmax_y: x read, m read, s read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
  i: u32,
  j: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> z: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn causal_log_softmax_z(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.lead_0 * params.i * params.j) {
    return;
  }
  let j = point % params.j;
  let rest = point / params.j;
  let i = rest % params.i;
  let at_0 = rest / params.i;
  z[(at_0 * params.i + i) * params.j + j] = select(-1e30f, x[(at_0 * params.i + i) * params.j + j], i32(j) <= i32(i));
}

@group(0) @binding(0) var<storage, read> z_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> m: array<f32>;

@compute @workgroup_size(64)
fn causal_log_softmax_m(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.lead_0 * params.i) {
    return;
  }
  let i = point % params.i;
  let at_0 = point / params.i;
  var best = 0.0f;
  for (var j = 0u; j < params.j; j += 1u) {
    let z_value = z_1[(at_0 * params.i + i) * params.j + j];
    best = select(max(best, z_value), z_value, j == 0u);
  }
  m[at_0 * params.i + i] = best;
}

@group(0) @binding(1) var<storage, read> m_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> s: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn causal_log_softmax_s(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.lead_0 * params_1.i) {
    return;
  }
  let i = point % params_1.i;
  let at_0 = point / params_1.i;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var j = 0u; j < params_1.j; j += 1u) {
    run = run + select(0.0f, exp(z_1[(at_0 * params_1.i + i) * params_1.j + j] - m_1[at_0 * params_1.i + i]), i32(j) <= i32(i));
    if ((j & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((j & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  s[at_0 * params_1.i + i] = total + (long_run + run);
}

struct Params_1 {
  fill: f32,
  lead_0: u32,
  i: u32,
  j: u32,
}

@group(0) @binding(2) var<storage, read> s_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<uniform> params_2: Params_1;

@compute @workgroup_size(64)
fn causal_log_softmax_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.lead_0 * params_2.i * params_2.j) {
    return;
  }
  let j = point % params_2.j;
  let rest = point / params_2.j;
  let i = rest % params_2.i;
  let at_0 = rest / params_2.i;
  y[(at_0 * params_2.i + i) * params_2.j + j] = select(params_2.fill, x[(at_0 * params_2.i + i) * params_2.j + j] - m_1[at_0 * params_2.i + i] - log(s_1[at_0 * params_2.i + i]), i32(j) <= i32(i));
}
