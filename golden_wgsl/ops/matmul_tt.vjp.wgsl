// shaderdsl golden, format 1
// op: shaderdsl.ops:matmul_tt.vjp
// dialect: naga
//
//   given a[k, m], b[n, k], d_c[m, n]
//   d_a[k, m] = sum(n) b[n, k] * d_c[m, n]
//   d_b[n, k] = sum(m) a[k, m] * d_c[m, n]
//   out(d_a, d_b)
//
// matmul_tt_vjp_d_a: b read, d_c read, d_a read_write, params uniform; barriers 0, shared bytes 0
// matmul_tt_vjp_d_b: a read, d_c read, d_b read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  k: u32,
  m: u32,
  n: u32,
}

@group(0) @binding(0) var<storage, read> b: array<f32>;
@group(0) @binding(1) var<storage, read> d_c: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_a: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn matmul_tt_vjp_d_a(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.k * params.m) {
    return;
  }
  let m = point % params.m;
  let k = point / params.m;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var n = 0u; n < params.n; n += 1u) {
    run = run + b[n * params.k + k] * d_c[m * params.n + n];
    if ((n & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((n & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_a[k * params.m + m] = total + (long_run + run);
}

struct Params_1 {
  n: u32,
  k: u32,
  m: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_b: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn matmul_tt_vjp_d_b(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.n * params_1.k) {
    return;
  }
  let k = point % params_1.k;
  let n = point / params_1.k;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var m = 0u; m < params_1.m; m += 1u) {
    run = run + a[k * params_1.m + m] * d_c[m * params_1.n + n];
    if ((m & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((m & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_b[n * params_1.k + k] = total + (long_run + run);
}
