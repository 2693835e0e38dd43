// shaderdsl golden, format 1
// op: shaderdsl.ops:causal_conv1d
// dialect: naga
//
//   given x[b, t, d], w[d, k], bias[d]
//   p[b, t, d] = sum(k) w[d, k] * x[b, t - k, d]
//   y[b, t, d] = bias[d] + p[b, t, d]
//
// causal_conv1d_p: w read, x read, p read_write, params uniform; barriers 0, shared bytes 0
// causal_conv1d_y: bias read, p read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  t: u32,
  d: u32,
  k: u32,
}

@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn causal_conv1d_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.b * params.t * params.d) {
    return;
  }
  let d = point % params.d;
  let rest = point / params.d;
  let t = rest % params.t;
  let b = rest / params.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var k = 0u; k < params.k; k += 1u) {
    let t_1 = u32(i32(t) - i32(k));
    let t_2 = t_1 < params.t;
    run = run + w[d * params.k + k] * select(0.0f, x[select(0u, (b * params.t + t_1) * params.d + d, t_2)], t_2);
    if ((k & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((k & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[(b * params.t + t) * params.d + d] = total + (long_run + run);
}

struct Params_1 {
  b: u32,
  t: u32,
  d: u32,
}

@group(0) @binding(0) var<storage, read> bias: array<f32>;
@group(0) @binding(1) var<storage, read> p_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn causal_conv1d_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.b * params_1.t * params_1.d) {
    return;
  }
  let d = point % params_1.d;
  let rest = point / params_1.d;
  let t = rest % params_1.t;
  let b = rest / params_1.t;
  y[(b * params_1.t + t) * params_1.d + d] = bias[d] + p_1[(b * params_1.t + t) * params_1.d + d];
}
