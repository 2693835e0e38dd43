// shaderdsl golden, format 1
// op: shaderdsl.ops:selective_scan.vjp
// dialect: naga
//
//   given u[b, t, d], delta[b, t, d], A_log[d, n], B[b, t, n], C[b, t, n], D[d], d_y[b, t, d]
//   a[d, n] = -exp(clamp(A_log[d, n], -10, 5))
//   dv[b, t, d] = softplus(delta[b, t, d])
//   Ab[b, t, d, n] = exp(dv[b, t, d] * a[d, n])
//   Bb[b, t, d, n] = dv[b, t, d] * exprel(dv[b, t, d] * a[d, n]) * B[b, t, n]
//   h[b, t, d, n] = scan(t) Ab[b, t, d, n] * h[b, t - 1, d, n] + Bb[b, t, d, n] * u[b, t, d]
//   c_h[b, t, d, n] = scan(t) C[b, t, n] * d_y[b, t, d] + Ab[b, t + 1, d, n] * c_h[b, t + 1, d, n]
//   d_Bb[b, t, d, n] = u[b, t, d] * c_h[b, t, d, n]
//   d_Ab[b, t, d, n] = h[b, t - 1, d, n] * c_h[b, t, d, n]
//   p[b, t, d] = sum(n) Ab[b, t, d, n] * B[b, t, n] * d_Bb[b, t, d, n]
//   p2[b, t, d] = sum(n) a[d, n] * Ab[b, t, d, n] * d_Ab[b, t, d, n]
//   p3[d, n] = sum(b, t) dv[b, t, d] ** 2 * B[b, t, n] * d_Bb[b, t, d, n] * exprel_slope(a[d, n] * dv[b, t, d])
//   p4[d, n] = sum(b, t) dv[b, t, d] * Ab[b, t, d, n] * d_Ab[b, t, d, n]
//   p5[b, t, d] = sum(n) Bb[b, t, d, n] * c_h[b, t, d, n]
//   d_u[b, t, d] = D[d] * d_y[b, t, d] + p5[b, t, d]
//   d_delta[b, t, d] = (p[b, t, d] + p2[b, t, d]) * sigmoid(delta[b, t, d])
//   d_A_log[d, n] = -((p3[d, n] + p4[d, n]) * where(A_log[d, n] >= -10 and A_log[d, n] <= 5, exp(clamp(A_log[d, n], -10, 5)), 0))
//   d_B[b, t, n] = sum(d) d_Bb[b, t, d, n] * (dv[b, t, d] * exprel(a[d, n] * dv[b, t, d]))
//   d_C[b, t, n] = sum(d) h[b, t, d, n] * d_y[b, t, d]
//   d_D[d] = sum(b, t) u[b, t, d] * d_y[b, t, d]
//   out(d_u, d_delta, d_A_log, d_B, d_C, d_D)
//
// selective_scan_vjp_a: A_log read, a read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_dv: delta read, dv read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_Ab: dv read, a read, Ab read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_Bb: dv read, a read, B read, Bb read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_h: Ab read, Bb read, u read, h read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_c_h: C read, d_y read, Ab read, c_h read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_d_Bb: u read, c_h read, d_Bb read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_d_Ab: h read, c_h read, d_Ab read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_p: Ab read, B read, d_Bb read, p read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_p2: a read, Ab read, d_Ab read, p2 read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_p3: dv read, B read, d_Bb read, a read, p3 read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_p4: dv read, Ab read, d_Ab read, p4 read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_p5: Bb read, c_h read, p5 read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_d_u: D read, d_y read, p5 read, d_u read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_d_delta: p read, p2 read, delta read, d_delta read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_d_A_log: p3 read, p4 read, A_log read, d_A_log read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_d_B: d_Bb read, dv read, a read, d_B read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_d_C: h read, d_y read, d_C read_write, params uniform; barriers 0, shared bytes 0
// selective_scan_vjp_d_D: u read, d_y read, d_D read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  d: u32,
  n: u32,
}

@group(0) @binding(0) var<storage, read> A_log: array<f32>;
@group(0) @binding(1) var<storage, read_write> a: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn selective_scan_vjp_a(
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
fn selective_scan_vjp_dv(
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
fn selective_scan_vjp_Ab(
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
fn selective_scan_vjp_Bb(
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
fn selective_scan_vjp_h(
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
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read> Ab_2: array<f32>;
@group(0) @binding(3) var<storage, read_write> c_h: array<f32>;

@compute @workgroup_size(64)
fn selective_scan_vjp_c_h(
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
  var c_h_now = 0.0f;
  for (var step_ = 0u; step_ < params_4.t; step_ += 1u) {
    let t = params_4.t - 1u - step_;
    let t_1 = u32(i32(t) + 1i);
    let t_2 = t_1 < params_4.t;
    let t_3 = C[(b * params_4.t + t) * params_4.n + n] * d_y[(b * params_4.t + t) * params_4.d + d] + select(0.0f, Ab_2[select(0u, ((b * params_4.t + t_1) * params_4.d + d) * params_4.n + n, t_2)], t_2) * c_h_now;
    c_h_now = t_3;
    c_h[((b * params_4.t + t) * params_4.d + d) * params_4.n + n] = t_3;
  }
}

@group(0) @binding(0) var<storage, read> u_1: array<f32>;
@group(0) @binding(1) var<storage, read> c_h_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_Bb: array<f32>;

@compute @workgroup_size(64)
fn selective_scan_vjp_d_Bb(
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
  d_Bb[((b * params_2.t + t) * params_2.d + d) * params_2.n + n] = u_1[(b * params_2.t + t) * params_2.d + d] * c_h_1[((b * params_2.t + t) * params_2.d + d) * params_2.n + n];
}

@group(0) @binding(0) var<storage, read> h_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_Ab: array<f32>;

@compute @workgroup_size(64)
fn selective_scan_vjp_d_Ab(
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
  let t_1 = u32(i32(t) - 1i);
  let t_2 = t_1 < params_2.t;
  d_Ab[((b * params_2.t + t) * params_2.d + d) * params_2.n + n] = select(0.0f, h_1[select(0u, ((b * params_2.t + t_1) * params_2.d + d) * params_2.n + n, t_2)], t_2) * c_h_1[((b * params_2.t + t) * params_2.d + d) * params_2.n + n];
}

@group(0) @binding(1) var<storage, read> B_1: array<f32>;
@group(0) @binding(2) var<storage, read> d_Bb_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> p: array<f32>;

@compute @workgroup_size(64)
fn selective_scan_vjp_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.b * params_3.t * params_3.d) {
    return;
  }
  let d = point % params_3.d;
  let rest = point / params_3.d;
  let t = rest % params_3.t;
  let b = rest / params_3.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var n = 0u; n < params_3.n; n += 1u) {
    run = run + Ab_1[((b * params_3.t + t) * params_3.d + d) * params_3.n + n] * B_1[(b * params_3.t + t) * params_3.n + n] * d_Bb_1[((b * params_3.t + t) * params_3.d + d) * params_3.n + n];
    if ((n & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((n & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[(b * params_3.t + t) * params_3.d + d] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> a_2: array<f32>;
@group(0) @binding(1) var<storage, read> Ab_3: array<f32>;
@group(0) @binding(2) var<storage, read> d_Ab_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> p2: array<f32>;

@compute @workgroup_size(64)
fn selective_scan_vjp_p2(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.b * params_3.t * params_3.d) {
    return;
  }
  let d = point % params_3.d;
  let rest = point / params_3.d;
  let t = rest % params_3.t;
  let b = rest / params_3.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var n = 0u; n < params_3.n; n += 1u) {
    run = run + a_2[d * params_3.n + n] * Ab_3[((b * params_3.t + t) * params_3.d + d) * params_3.n + n] * d_Ab_1[((b * params_3.t + t) * params_3.d + d) * params_3.n + n];
    if ((n & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((n & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p2[(b * params_3.t + t) * params_3.d + d] = total + (long_run + run);
}

struct Params_4 {
  d: u32,
  n: u32,
  b: u32,
  t: u32,
}

@group(0) @binding(3) var<storage, read> a_3: array<f32>;
@group(0) @binding(4) var<storage, read_write> p3: array<f32>;
@group(0) @binding(5) var<uniform> params_5: Params_4;

fn exprel_slope(z: f32) -> f32 {
  let t = min(z, 100.0f);
  let t_1 = exp(0.5f * t);
  let t_2 = 1.0f / t;
  return select(select(t_1 / t * t_1 * (1.0f - t_2) + t_2 * t_2, (((((((((2.2964432e-8f * z + 2.5052108e-7f) * z + 2.4801586e-6f) * z + 0.000022045855f) * z + 0.00017361112f) * z + 0.0011904762f) * z + 0.0069444445f) * z + 0.033333335f) * z + 0.125f) * z + 0.33333334f) * z + 0.5f, abs(z) < 1.0f), z, (bitcast<u32>(z) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn selective_scan_vjp_p3(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_5.d * params_5.n) {
    return;
  }
  let n = point % params_5.n;
  let d = point / params_5.n;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var b = 0u; b < params_5.b; b += 1u) {
    for (var t = 0u; t < params_5.t; t += 1u) {
      let dv_value = dv_1[(b * params_5.t + t) * params_5.d + d];
      let exprel_slope_value = exprel_slope(a_3[d * params_5.n + n] * dv_value);
      run = run + dv_value * dv_value * B_1[(b * params_5.t + t) * params_5.n + n] * d_Bb_1[((b * params_5.t + t) * params_5.d + d) * params_5.n + n] * exprel_slope_value;
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
  p3[d * params_5.n + n] = total + (long_run + run);
}

@group(0) @binding(3) var<storage, read_write> p4: array<f32>;
@group(0) @binding(4) var<uniform> params_6: Params_4;

@compute @workgroup_size(64)
fn selective_scan_vjp_p4(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_6.d * params_6.n) {
    return;
  }
  let n = point % params_6.n;
  let d = point / params_6.n;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var b = 0u; b < params_6.b; b += 1u) {
    for (var t = 0u; t < params_6.t; t += 1u) {
      run = run + dv_1[(b * params_6.t + t) * params_6.d + d] * Ab_3[((b * params_6.t + t) * params_6.d + d) * params_6.n + n] * d_Ab_1[((b * params_6.t + t) * params_6.d + d) * params_6.n + n];
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
  p4[d * params_6.n + n] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> Bb_2: array<f32>;
@group(0) @binding(2) var<storage, read_write> p5: array<f32>;

@compute @workgroup_size(64)
fn selective_scan_vjp_p5(
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
    run = run + Bb_2[((b * params_2.t + t) * params_2.d + d) * params_2.n + n] * c_h_1[((b * params_2.t + t) * params_2.d + d) * params_2.n + n];
    if ((n & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((n & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p5[(b * params_2.t + t) * params_2.d + d] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> D: array<f32>;
@group(0) @binding(2) var<storage, read> p5_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_u: array<f32>;
@group(0) @binding(4) var<uniform> params_7: Params_1;

@compute @workgroup_size(64)
fn selective_scan_vjp_d_u(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_7.b * params_7.t * params_7.d) {
    return;
  }
  let d = point % params_7.d;
  let rest = point / params_7.d;
  let t = rest % params_7.t;
  let b = rest / params_7.t;
  d_u[(b * params_7.t + t) * params_7.d + d] = D[d] * d_y[(b * params_7.t + t) * params_7.d + d] + p5_1[(b * params_7.t + t) * params_7.d + d];
}

@group(0) @binding(0) var<storage, read> p_1: array<f32>;
@group(0) @binding(1) var<storage, read> p2_1: array<f32>;
@group(0) @binding(2) var<storage, read> delta_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_delta: array<f32>;

fn sigmoid(x: f32) -> f32 {
  let t = exp(-abs(x));
  return select(select(t, 1.0f, x >= 0.0f) / (1.0f + t), x, (bitcast<u32>(x) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn selective_scan_vjp_d_delta(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_7.b * params_7.t * params_7.d) {
    return;
  }
  let d = point % params_7.d;
  let rest = point / params_7.d;
  let t = rest % params_7.t;
  let b = rest / params_7.t;
  let sigmoid_value = sigmoid(delta_1[(b * params_7.t + t) * params_7.d + d]);
  d_delta[(b * params_7.t + t) * params_7.d + d] = (p_1[(b * params_7.t + t) * params_7.d + d] + p2_1[(b * params_7.t + t) * params_7.d + d]) * sigmoid_value;
}

@group(0) @binding(0) var<storage, read> p3_1: array<f32>;
@group(0) @binding(1) var<storage, read> p4_1: array<f32>;
@group(0) @binding(2) var<storage, read> A_log_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_A_log: array<f32>;
@group(0) @binding(4) var<uniform> params_8: Params;

@compute @workgroup_size(64)
fn selective_scan_vjp_d_A_log(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_8.d * params_8.n) {
    return;
  }
  let n = point % params_8.n;
  let d = point / params_8.n;
  let A_log_value = A_log_1[d * params_8.n + n];
  d_A_log[d * params_8.n + n] = -((p3_1[d * params_8.n + n] + p4_1[d * params_8.n + n]) * select(0.0f, exp(min(max(A_log_value, -10.0f), 5.0f)), A_log_value >= -10.0f && A_log_value <= 5.0f));
}

struct Params_5 {
  b: u32,
  t: u32,
  n: u32,
  d: u32,
}

@group(0) @binding(0) var<storage, read> d_Bb_2: array<f32>;
@group(0) @binding(1) var<storage, read> dv_2: array<f32>;
@group(0) @binding(2) var<storage, read> a_4: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_B: array<f32>;
@group(0) @binding(4) var<uniform> params_9: Params_5;

@compute @workgroup_size(64)
fn selective_scan_vjp_d_B(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_9.b * params_9.t * params_9.n) {
    return;
  }
  let n = point % params_9.n;
  let rest = point / params_9.n;
  let t = rest % params_9.t;
  let b = rest / params_9.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var d = 0u; d < params_9.d; d += 1u) {
    let dv_value = dv_2[(b * params_9.t + t) * params_9.d + d];
    let exprel_value = exprel(a_4[d * params_9.n + n] * dv_value);
    run = run + d_Bb_2[((b * params_9.t + t) * params_9.d + d) * params_9.n + n] * (dv_value * exprel_value);
    if ((d & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((d & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_B[(b * params_9.t + t) * params_9.n + n] = total + (long_run + run);
}

@group(0) @binding(2) var<storage, read_write> d_C: array<f32>;
@group(0) @binding(3) var<uniform> params_10: Params_5;

@compute @workgroup_size(64)
fn selective_scan_vjp_d_C(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_10.b * params_10.t * params_10.n) {
    return;
  }
  let n = point % params_10.n;
  let rest = point / params_10.n;
  let t = rest % params_10.t;
  let b = rest / params_10.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var d = 0u; d < params_10.d; d += 1u) {
    run = run + h_1[((b * params_10.t + t) * params_10.d + d) * params_10.n + n] * d_y[(b * params_10.t + t) * params_10.d + d];
    if ((d & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((d & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_C[(b * params_10.t + t) * params_10.n + n] = total + (long_run + run);
}

struct Params_6 {
  d: u32,
  b: u32,
  t: u32,
}

@group(0) @binding(2) var<storage, read_write> d_D: array<f32>;
@group(0) @binding(3) var<uniform> params_11: Params_6;

@compute @workgroup_size(64)
fn selective_scan_vjp_d_D(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let d = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (d >= params_11.d) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var b = 0u; b < params_11.b; b += 1u) {
    for (var t = 0u; t < params_11.t; t += 1u) {
      run = run + u_1[(b * params_11.t + t) * params_11.d + d] * d_y[(b * params_11.t + t) * params_11.d + d];
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
  d_D[d] = total + (long_run + run);
}
