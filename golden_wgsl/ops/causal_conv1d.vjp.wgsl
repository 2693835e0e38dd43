// shaderdsl golden, format 1
// op: shaderdsl.ops:causal_conv1d.vjp
// dialect: naga
//
//   given x[b, t, d], w[d, k], bias[d], d_y[b, t, d]
//   d_x[b, t, d] = sum(k) w[d, k] * d_y[b, t + k, d]
//   d_w[d, k < size(k)] = sum(b, t) x[b, t - k, d] * d_y[b, t, d]
//   d_bias[d] = sum(b, t) d_y[b, t, d]
//   out(d_x, d_w, d_bias)
//
// causal_conv1d_vjp_d_x: w read, d_y read, d_x read_write, params uniform; barriers 0, shared bytes 0
// causal_conv1d_vjp_d_w: x read, d_y read, d_w read_write, params uniform; barriers 0, shared bytes 0
// causal_conv1d_vjp_d_bias: d_y read, d_bias read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  t: u32,
  d: u32,
  k: u32,
}

@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn causal_conv1d_vjp_d_x(
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
    let t_1 = u32(i32(t) + i32(k));
    let t_2 = t_1 < params.t;
    run = run + w[d * params.k + k] * select(0.0f, d_y[select(0u, (b * params.t + t_1) * params.d + d, t_2)], t_2);
    if ((k & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((k & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_x[(b * params.t + t) * params.d + d] = total + (long_run + run);
}

struct Params_1 {
  d: u32,
  k: u32,
  b: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_w: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn causal_conv1d_vjp_d_w(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.d * params_1.k) {
    return;
  }
  let k = point % params_1.k;
  let d = point / params_1.k;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var b = 0u; b < params_1.b; b += 1u) {
    for (var t = 0u; t < params_1.t; t += 1u) {
      let t_1 = u32(i32(t) - i32(k));
      let t_2 = t_1 < params_1.t;
      run = run + select(0.0f, x[select(0u, (b * params_1.t + t_1) * params_1.d + d, t_2)], t_2) * d_y[(b * params_1.t + t) * params_1.d + d];
      let terms_value = terms;
      terms = terms_value + 1u;
      if ((terms_value & 15u) == 15u) {
        long_run = long_run + run;
        run = 0.0f;
        if ((terms_value & 255u) == 255u) {
          total = total + long_run;
          long_run = 0.0f;
        }
      }
    }
  }
  d_w[d * params_1.k + k] = total + (long_run + run);
}

struct Params_2 {
  d: u32,
  b: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> d_y_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_bias: array<f32>;
@group(0) @binding(2) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn causal_conv1d_vjp_d_bias(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let d = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (d >= params_2.d) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var b = 0u; b < params_2.b; b += 1u) {
    for (var t = 0u; t < params_2.t; t += 1u) {
      run = run + d_y_1[(b * params_2.t + t) * params_2.d + d];
      let terms_value = terms;
      terms = terms_value + 1u;
      if ((terms_value & 15u) == 15u) {
        long_run = long_run + run;
        run = 0.0f;
        if ((terms_value & 255u) == 255u) {
          total = total + long_run;
          long_run = 0.0f;
        }
      }
    }
  }
  d_bias[d] = total + (long_run + run);
}
