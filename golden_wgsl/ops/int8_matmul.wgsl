// shaderdsl golden, format 1
// op: shaderdsl.ops:int8_matmul
// dialect: naga
//
//   given q[m, k]: i32, w[k, n]: i32, sx[m], sw[n]
//   acc[m, n] = sum(k) q[m, k] * w[k, n]
//   c[m, n] = acc[m, n] * sx[m] * sw[n]
//
// int8_matmul_acc: q read, w read, acc read_write, params uniform; barriers 0, shared bytes 0
// int8_matmul_c: acc read, sx read, sw read, c read_write, params uniform; barriers 0, shared bytes 0

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
fn int8_matmul_acc(
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
@group(0) @binding(1) var<storage, read> sx: array<f32>;
@group(0) @binding(2) var<storage, read> sw: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;
@group(0) @binding(4) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn int8_matmul_c(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.m * params_1.n) {
    return;
  }
  let n = point % params_1.n;
  let m = point / params_1.n;
  c[m * params_1.n + n] = f32(acc_1[m * params_1.n + n]) * sx[m] * sw[n];
}
