// shaderdsl golden, format 1
// op: shaderdsl.ops:int8_matmul.vjp
// dialect: naga
//
//   given q[m, k]: i32, w[k, n]: i32, sx[m], sw[n], d_c[m, n]
//   acc[m, n] = sum(k) q[m, k] * w[k, n]
//   d_sx[m] = sum(n) acc[m, n] * sw[n] * d_c[m, n]
//   d_sw[n] = sum(m) acc[m, n] * sx[m] * d_c[m, n]
//   out(d_sx, d_sw)
//
// int8_matmul_vjp_acc: q read, w read, acc read_write, params uniform; barriers 0, shared bytes 0
// int8_matmul_vjp_d_sx: acc read, sw read, d_c read, d_sx read_write, params uniform; barriers 0, shared bytes 0
// int8_matmul_vjp_d_sw: acc read, sx read, d_c read, d_sw read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  m: u32,
  n: u32,
  k: u32,
}

@group(0) @binding(0) var<storage, read> q: array<i32>;
@group(0) @binding(1) var<storage, read> w: array<i32>;
@group(0) @binding(2) var<storage, read_write> acc: array<i32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn int8_matmul_vjp_acc(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.m * params.n) {
    return;
  }
  let n = point % params.n;
  let m = point / params.n;
  var total = 0i;
  for (var k = 0u; k < params.k; k += 1u) {
    total = total + q[m * params.k + k] * w[k * params.n + n];
  }
  acc[m * params.n + n] = total;
}

struct Params_1 {
  m: u32,
  n: u32,
}

@group(0) @binding(0) var<storage, read> acc_1: array<i32>;
@group(0) @binding(1) var<storage, read> sw: array<f32>;
@group(0) @binding(2) var<storage, read> d_c: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_sx: array<f32>;
@group(0) @binding(4) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn int8_matmul_vjp_d_sx(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let m = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (m >= params_1.m) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var n = 0u; n < params_1.n; n += 1u) {
    run = run + f32(acc_1[m * params_1.n + n]) * sw[n] * d_c[m * params_1.n + n];
    if ((n & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((n & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_sx[m] = total + (long_run + run);
}

struct Params_2 {
  n: u32,
  m: u32,
}

@group(0) @binding(1) var<storage, read> sx: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_sw: array<f32>;
@group(0) @binding(4) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn int8_matmul_vjp_d_sw(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let n = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (n >= params_2.n) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var m = 0u; m < params_2.m; m += 1u) {
    run = run + f32(acc_1[m * params_2.n + n]) * sx[m] * d_c[m * params_2.n + n];
    if ((m & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((m & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_sw[n] = total + (long_run + run);
}
