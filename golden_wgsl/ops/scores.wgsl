// shaderdsl golden, format 1
// op: shaderdsl.ops:scores
// dialect: naga
//
//   given q[..., t, c], k[..., u, c], scale
//   p[..., t, u] = sum(c) q[..., t, c] * k[..., u, c]
//   s[..., t, u] = scale * p[..., t, u]
//
// scores_p: q read, k read, p read_write, params uniform; barriers 0, shared bytes 0
// scores_s: p read, s read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
  t: u32,
  u: u32,
  c: u32,
  q_0: u32,
  k_0: u32,
}

@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> k: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn scores_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.lead_0 * params.t * params.u) {
    return;
  }
  let u = point % params.u;
  let rest = point / params.u;
  let t = rest % params.t;
  let at_0 = rest / params.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var c = 0u; c < params.c; c += 1u) {
    run = run + q[(min(at_0, params.q_0 - 1u) * params.t + t) * params.c + c] * k[(min(at_0, params.k_0 - 1u) * params.u + u) * params.c + c];
    if ((c & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((c & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[(at_0 * params.t + t) * params.u + u] = total + (long_run + run);
}

struct Params_1 {
  scale: f32,
  lead_0: u32,
  t: u32,
  u: u32,
}

@group(0) @binding(0) var<storage, read> p_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> s: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn scores_s(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.lead_0 * params_1.t * params_1.u) {
    return;
  }
  let u = point % params_1.u;
  let rest = point / params_1.u;
  let t = rest % params_1.t;
  let at_0 = rest / params_1.t;
  s[(at_0 * params_1.t + t) * params_1.u + u] = params_1.scale * p_1[(at_0 * params_1.t + t) * params_1.u + u];
}
