// shaderdsl golden, format 1
// op: shaderdsl.ops:scores.vjp
// dialect: naga
//
//   given q[b, t, c], k[b, u, c], scale, d_s[b, t, u]
//   d_p[b, t, u] = scale * d_s[b, t, u]
//   d_q[b, t, c] = sum(u) k[b, u, c] * d_p[b, t, u]
//   d_k[b, u, c] = sum(t) q[b, t, c] * d_p[b, t, u]
//   out(d_q, d_k)
//
// scores_vjp_d_p: d_s read, d_p read_write, params uniform; barriers 0, shared bytes 0
// scores_vjp_d_q: k read, d_p read, d_q read_write, params uniform; barriers 0, shared bytes 0
// scores_vjp_d_k: q read, d_p read, d_k read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  scale: f32,
  b: u32,
  t: u32,
  u: u32,
}

@group(0) @binding(0) var<storage, read> d_s: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_p: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn scores_vjp_d_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.b * params.t * params.u) {
    return;
  }
  let u = point % params.u;
  let rest = point / params.u;
  let t = rest % params.t;
  let b = rest / params.t;
  d_p[(b * params.t + t) * params.u + u] = params.scale * d_s[(b * params.t + t) * params.u + u];
}

struct Params_1 {
  b: u32,
  t: u32,
  c: u32,
  u: u32,
}

@group(0) @binding(0) var<storage, read> k: array<f32>;
@group(0) @binding(1) var<storage, read> d_p_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_q: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn scores_vjp_d_q(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.b * params_1.t * params_1.c) {
    return;
  }
  let c = point % params_1.c;
  let rest = point / params_1.c;
  let t = rest % params_1.t;
  let b = rest / params_1.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var u = 0u; u < params_1.u; u += 1u) {
    run = run + k[(b * params_1.u + u) * params_1.c + c] * d_p_1[(b * params_1.t + t) * params_1.u + u];
    if ((u & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((u & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_q[(b * params_1.t + t) * params_1.c + c] = total + (long_run + run);
}

struct Params_2 {
  b: u32,
  u: u32,
  c: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_k: array<f32>;
@group(0) @binding(3) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn scores_vjp_d_k(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.b * params_2.u * params_2.c) {
    return;
  }
  let c = point % params_2.c;
  let rest = point / params_2.c;
  let u = rest % params_2.u;
  let b = rest / params_2.u;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var t = 0u; t < params_2.t; t += 1u) {
    run = run + q[(b * params_2.t + t) * params_2.c + c] * d_p_1[(b * params_2.t + t) * params_2.u + u];
    if ((t & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((t & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_k[(b * params_2.u + u) * params_2.c + c] = total + (long_run + run);
}
