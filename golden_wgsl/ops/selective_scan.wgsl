// shaderdsl golden, format 1
// op: shaderdsl.ops:selective_scan
// dialect: naga
//
//   given u[b, t, d], delta[b, t, d], A_log[d, n], B[b, t, n], C[b, t, n], D[d]
//   a[d, n] = -exp(clamp(A_log[d, n], -10, 5))
//   dv[b, t, d] = softplus(delta[b, t, d])
//   Ab[b, t, d, n] = exp(dv[b, t, d] * a[d, n])
//   Bb[b, t, d, n] = dv[b, t, d] * exprel(dv[b, t, d] * a[d, n]) * B[b, t, n]
//   h[b, t, d, n] = scan(t) Ab[b, t, d, n] * h[b, t - 1, d, n] + Bb[b, t, d, n] * u[b, t, d]
//   o[b, t, d] = sum(n) C[b, t, n] * h[b, t, d, n]
//   y[b, t, d] = o[b, t, d] + D[d] * u[b, t, d]
//
// selective_scan_a: A_log read, a read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_dv: delta read, dv read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_Ab: dv read, a read, Ab read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_Bb: dv read, a read, B read, Bb read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_h: Ab read, Bb read, u read, h read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_o: C read, h read, o read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_y: o read, D read, u read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  d: u32,
  n: u32,
}

@group(0) @binding(0) var<storage, read> A_log: array<f32>;
@group(0) @binding(1) var<storage, read_write> a: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn selective_scan_a(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.d * params.n) {
    return;
  }
  let n = point % params.n;
  let d = point / params.n;
  a[d * params.n + n] = -exp(min(max(A_log[d * params.n + n], -10.0f), 5.0f));
}

struct Params_1 {
  b: u32,
  t: u32,
  d: u32,
}

@group(0) @binding(0) var<storage, read> delta: array<f32>;
@group(0) @binding(1) var<storage, read_write> dv: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

fn softplus_series(x: f32) -> f32 {
  let t = exp(-abs(x));
  let t_1 = 2.0f + t;
  let t_2 = t / t_1;
  let t_3 = t_2 * t_2;
  return select(max(x, 0.0f) + t * ((2.0f + 2.0f * (((((((0.06666667f * t_3 + 0.07692308f) * t_3 + 0.09090909f) * t_3 + 0.11111111f) * t_3 + 0.14285715f) * t_3 + 0.2f) * t_3 + 0.33333334f) * t_3)) / t_1), x, (bitcast<u32>(x) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn selective_scan_dv(
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
  let softplus_series_value = softplus_series(delta[(b * params_1.t + t) * params_1.d + d]);
  dv[(b * params_1.t + t) * params_1.d + d] = softplus_series_value;
}

struct Params_2 {
  b: u32,
  t: u32,
  d: u32,
  n: u32,
}

@group(0) @binding(0) var<storage, read> dv_1: array<f32>;
@group(0) @binding(1) var<storage, read> a_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> Ab: array<f32>;
@group(0) @binding(3) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn selective_scan_Ab(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.b * params_2.t * params_2.d * params_2.n) {
    return;
  }
  let n = point % params_2.n;
  let rest = point / params_2.n;
  let d = rest % params_2.d;
  let rest_1 = rest / params_2.d;
  let t = rest_1 % params_2.t;
  let b = rest_1 / params_2.t;
  Ab[((b * params_2.t + t) * params_2.d + d) * params_2.n + n] = exp(dv_1[(b * params_2.t + t) * params_2.d + d] * a_1[d * params_2.n + n]);
}

@group(0) @binding(2) var<storage, read> B: array<f32>;
@group(0) @binding(3) var<storage, read_write> Bb: array<f32>;
@group(0) @binding(4) var<uniform> params_3: Params_2;

fn exprel(z: f32) -> f32 {
  let t = min(z, 100.0f);
  let t_1 = exp(0.5f * t);
  return select(select(t_1 / t * t_1 - 1.0f / t, ((((((((((2.0876756e-9f * z + 2.5052108e-8f) * z + 2.755732e-7f) * z + 2.7557319e-6f) * z + 0.000024801588f) * z + 0.0001984127f) * z + 0.0013888889f) * z + 0.008333334f) * z + 0.041666668f) * z + 0.16666667f) * z + 0.5f) * z + 1.0f, abs(z) < 1.0f), z, (bitcast<u32>(z) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn selective_scan_Bb(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.b * params_3.t * params_3.d * params_3.n) {
    return;
  }
  let n = point % params_3.n;
  let rest = point / params_3.n;
  let d = rest % params_3.d;
  let rest_1 = rest / params_3.d;
  let t = rest_1 % params_3.t;
  let b = rest_1 / params_3.t;
  let dv_value = dv_1[(b * params_3.t + t) * params_3.d + d];
  let exprel_value = exprel(dv_value * a_1[d * params_3.n + n]);
  Bb[((b * params_3.t + t) * params_3.d + d) * params_3.n + n] = dv_value * exprel_value * B[(b * params_3.t + t) * params_3.n + n];
}

struct Params_3 {
  b: u32,
  d: u32,
  n: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> Ab_1: array<f32>;
@group(0) @binding(1) var<storage, read> Bb_1: array<f32>;
@group(0) @binding(2) var<storage, read> u: array<f32>;
@group(0) @binding(3) var<storage, read_write> h: array<f32>;
@group(0) @binding(4) var<uniform> params_4: Params_3;

@compute @workgroup_size(64)
fn selective_scan_h(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_4.b * params_4.d * params_4.n) {
    return;
  }
  let n = point % params_4.n;
  let rest = point / params_4.n;
  let d = rest % params_4.d;
  let b = rest / params_4.d;
  var h_now = 0.0f;
  for (var t = 0u; t < params_4.t; t += 1u) {
    let t_1 = Ab_1[((b * params_4.t + t) * params_4.d + d) * params_4.n + n] * h_now + Bb_1[((b * params_4.t + t) * params_4.d + d) * params_4.n + n] * u[(b * params_4.t + t) * params_4.d + d];
    h_now = t_1;
    h[((b * params_4.t + t) * params_4.d + d) * params_4.n + n] = t_1;
  }
}

@group(0) @binding(0) var<storage, read> C: array<f32>;
@group(0) @binding(1) var<storage, read> h_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> o: array<f32>;

@compute @workgroup_size(64)
fn selective_scan_o(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.b * params_2.t * params_2.d) {
    return;
  }
  let d = point % params_2.d;
  let rest = point / params_2.d;
  let t = rest % params_2.t;
  let b = rest / params_2.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var n = 0u; n < params_2.n; n += 1u) {
    run = run + C[(b * params_2.t + t) * params_2.n + n] * h_1[((b * params_2.t + t) * params_2.d + d) * params_2.n + n];
    if ((n & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((n & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  o[(b * params_2.t + t) * params_2.d + d] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> o_1: array<f32>;
@group(0) @binding(1) var<storage, read> D: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<uniform> params_5: Params_1;

@compute @workgroup_size(64)
fn selective_scan_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_5.b * params_5.t * params_5.d) {
    return;
  }
  let d = point % params_5.d;
  let rest = point / params_5.d;
  let t = rest % params_5.t;
  let b = rest / params_5.t;
  y[(b * params_5.t + t) * params_5.d + d] = o_1[(b * params_5.t + t) * params_5.d + d] + D[d] * u[(b * params_5.t + t) * params_5.d + d];
}
