// shaderdsl golden, format 1
// op: shaderdsl.ops:batched_matmul_tn.vjp
// dialect: naga
//
//   given x[b, k, m], w[b, k, n], d_c[b, m, n]
//   d_x[b, k, m] = sum(n) w[b, k, n] * d_c[b, m, n]
//   d_w[b, k, n] = sum(m) x[b, k, m] * d_c[b, m, n]
//   out(d_x, d_w)
//
// batched_matmul_tn_vjp_d_x: w read, d_c read, d_x read_write, params uniform; barriers 0, shared bytes 0
// batched_matmul_tn_vjp_d_w: x read, d_c read, d_w read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  k: u32,
  m: u32,
  n: u32,
}

@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read> d_c: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn batched_matmul_tn_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.b * params.k * params.m) {
    return;
  }
  let m = point % params.m;
  let rest = point / params.m;
  let k = rest % params.k;
  let b = rest / params.k;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var n = 0u; n < params.n; n += 1u) {
    run = run + w[(b * params.k + k) * params.n + n] * d_c[(b * params.m + m) * params.n + n];
    if ((n & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((n & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_x[(b * params.k + k) * params.m + m] = total + (long_run + run);
}

struct Params_1 {
  b: u32,
  k: u32,
  n: u32,
  m: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_w: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn batched_matmul_tn_vjp_d_w(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.b * params_1.k * params_1.n) {
    return;
  }
  let n = point % params_1.n;
  let rest = point / params_1.n;
  let k = rest % params_1.k;
  let b = rest / params_1.k;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var m = 0u; m < params_1.m; m += 1u) {
    run = run + x[(b * params_1.k + k) * params_1.m + m] * d_c[(b * params_1.m + m) * params_1.n + n];
    if ((m & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((m & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_w[(b * params_1.k + k) * params_1.n + n] = total + (long_run + run);
}
