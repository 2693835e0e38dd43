// shaderdsl golden, format 1
// op: shaderdsl.ops:softmax
// dialect: naga
//
//   given x[..., j]
//   m[...] = max(j) x[..., j]
//   e[..., j] = exp(x[..., j] - m[...])
//   s[...] = sum(j) e[..., j]
//   y[..., j] = e[..., j] / s[...]
//   saved(y)
//
// softmax_m: x read, m read_write, params uniform; barriers 0, shared bytes 0
// softmax_e: x read, m read, e read_write, params uniform; barriers 0, shared bytes 0
// softmax_s: e read, s read_write, params uniform; barriers 0, shared bytes 0
// softmax_y: e read, s read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
  j: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> m: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn softmax_m(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  var best = 0.0f;
  for (var j = 0u; j < params.j; j += 1u) {
    let x_value = x[at_0 * params.j + j];
    best = select(max(best, x_value), x_value, j == 0u);
  }
  m[at_0] = best;
}

@group(0) @binding(1) var<storage, read> m_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> e: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn softmax_e(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.lead_0 * params_1.j) {
    return;
  }
  let j = point % params_1.j;
  let at_0 = point / params_1.j;
  e[at_0 * params_1.j + j] = exp(x[at_0 * params_1.j + j] - m_1[at_0]);
}

@group(0) @binding(0) var<storage, read> e_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> s: array<f32>;

@compute @workgroup_size(64)
fn softmax_s(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var j = 0u; j < params.j; j += 1u) {
    run = run + e_1[at_0 * params.j + j];
    if ((j & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((j & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  s[at_0] = total + (long_run + run);
}

@group(0) @binding(1) var<storage, read> s_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn softmax_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.lead_0 * params_1.j) {
    return;
  }
  let j = point % params_1.j;
  let at_0 = point / params_1.j;
  y[at_0 * params_1.j + j] = e_1[at_0 * params_1.j + j] / s_1[at_0];
}
