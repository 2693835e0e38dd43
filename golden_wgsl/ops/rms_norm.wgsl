// shaderdsl golden, format 1
// op: shaderdsl.ops:rms_norm
// dialect: naga
//
//   given x[..., i], g[i], eps
//   q[...] = mean(i) x[..., i] ** 2
//   r[...] = rsqrt(q[...] + eps)
//   y[..., i] = x[..., i] * r[...] * g[i]
//
// rms_norm_q: x read, q read_write, params uniform; barriers 0, shared bytes 0
// rms_norm_r: q read, r read_write, params uniform; barriers 0, shared bytes 0
// rms_norm_y: x read, r read, g read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> q: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn rms_norm_q(
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
  for (var i = 0u; i < params.i; i += 1u) {
    let x_value = x[at_0 * params.i + i];
    run = run + x_value * x_value;
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  q[at_0] = (total + (long_run + run)) / f32(params.i);
}

struct Params_1 {
  eps: f32,
  lead_0: u32,
}

@group(0) @binding(0) var<storage, read> q_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> r: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn rms_norm_r(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params_1.lead_0) {
    return;
  }
  r[at_0] = inverseSqrt(q_1[at_0] + params_1.eps);
}

@group(0) @binding(1) var<storage, read> r_1: array<f32>;
@group(0) @binding(2) var<storage, read> g: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<uniform> params_2: Params;

@compute @workgroup_size(64)
fn rms_norm_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.lead_0 * params_2.i) {
    return;
  }
  let i = point % params_2.i;
  let at_0 = point / params_2.i;
  y[at_0 * params_2.i + i] = x[at_0 * params_2.i + i] * r_1[at_0] * g[i];
}
