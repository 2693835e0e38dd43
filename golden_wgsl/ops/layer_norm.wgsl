// shaderdsl golden, format 1
// op: shaderdsl.ops:layer_norm
// dialect: naga
//
//   given x[..., i], eps
//   mu[...] = mean(i) x[..., i]
//   c[..., i] = x[..., i] - mu[...]
//   v[...] = mean(i) c[..., i] ** 2
//   r[...] = rsqrt(v[...] + eps)
//   y[..., i] = c[..., i] * r[...]
//   saved(mu, r)
//
// layer_norm_mu: x read, mu read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_c: x read, mu read, c read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_v: c read, v read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_r: v read, r read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_y: c read, r read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> mu: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn layer_norm_mu(
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
    run = run + x[at_0 * params.i + i];
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  mu[at_0] = (total + (long_run + run)) / f32(params.i);
}

@group(0) @binding(1) var<storage, read> mu_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn layer_norm_c(
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
  c[at_0 * params_1.i + i] = x[at_0 * params_1.i + i] - mu_1[at_0];
}

@group(0) @binding(0) var<storage, read> c_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> v: array<f32>;

@compute @workgroup_size(64)
fn layer_norm_v(
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
    let c_value = c_1[at_0 * params.i + i];
    run = run + c_value * c_value;
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  v[at_0] = (total + (long_run + run)) / f32(params.i);
}

struct Params_1 {
  eps: f32,
  lead_0: u32,
}

@group(0) @binding(0) var<storage, read> v_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> r: array<f32>;
@group(0) @binding(2) var<uniform> params_2: Params_1;

@compute @workgroup_size(64)
fn layer_norm_r(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params_2.lead_0) {
    return;
  }
  r[at_0] = inverseSqrt(v_1[at_0] + params_2.eps);
}

@group(0) @binding(1) var<storage, read> r_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn layer_norm_y(
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
  y[at_0 * params_1.i + i] = c_1[at_0 * params_1.i + i] * r_1[at_0];
}
