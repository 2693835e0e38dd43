// shaderdsl golden, format 1
// op: shaderdsl.ops:logsumexp
// dialect: naga
//
//   given x[..., i]
//   m[...] = max(i) x[..., i]
//   s[...] = sum(i) exp(x[..., i] - m[...])
//   y[...] = m[...] + log(s[...])
//
// logsumexp_m: x read, m read_write, params uniform; barriers 0, shared bytes 0
// logsumexp_s: x read, m read, s read_write, params uniform; barriers 0, shared bytes 0
// logsumexp_y: m read, s read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> m: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn logsumexp_m(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  var best = 0.0f;
  for (var i = 0u; i < params.i; i += 1u) {
    let x_value = x[at_0 * params.i + i];
    best = select(max(best, x_value), x_value, i == 0u);
  }
  m[at_0] = best;
}

@group(0) @binding(1) var<storage, read> m_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> s: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn logsumexp_s(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params_1.lead_0) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var i = 0u; i < params_1.i; i += 1u) {
    run = run + exp(x[at_0 * params_1.i + i] - m_1[at_0]);
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  s[at_0] = total + (long_run + run);
}

struct Params_1 {
  lead_0: u32,
}

@group(0) @binding(0) var<storage, read> m_2: array<f32>;
@group(0) @binding(1) var<storage, read> s_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params_2: Params_1;

@compute @workgroup_size(64)
fn logsumexp_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params_2.lead_0) {
    return;
  }
  y[at_0] = m_2[at_0] + log(s_1[at_0]);
}
