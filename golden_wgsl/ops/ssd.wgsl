// shaderdsl golden, format 1
// op: shaderdsl.ops:ssd
// dialect: naga
//
//   given x[t, e, i], dt_raw[t, e], dt_bias[e], A_log[e], B[t, g, n], C[t, g, n], D[e]
//   dt[t, e] = softplus(dt_raw[t, e] + dt_bias[e])
//   a[t, e] = exp(-exp(A_log[e]) * dt[t, e])
//   h[t, e, n < size(n), i] = scan(t) a[t, e] * h[t - 1, e, n, i] + dt[t, e] * B[t, e * size(g) // size(e), n] * x[t, e, i]
//   o[t, e, i] = sum(n) C[t, e * size(g) // size(e), n] * h[t, e, n, i]
//   y[t, e, i] = o[t, e, i] + D[e] * x[t, e, i]
//
// ssd_dt: dt_raw read, dt_bias read, dt read_write, params uniform; barriers 0, shared bytes 0
// ssd_a: A_log read, dt read, a read_write, params uniform; barriers 0, shared bytes 0
// ssd_h: a read, dt read, B read, x read, h read_write, params uniform; barriers 0, shared bytes 0
// ssd_o: C read, h read, o read_write, params uniform; barriers 0, shared bytes 0
// ssd_y: o read, D read, x read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  t: u32,
  e: u32,
}

@group(0) @binding(0) var<storage, read> dt_raw: array<f32>;
@group(0) @binding(1) var<storage, read> dt_bias: array<f32>;
@group(0) @binding(2) var<storage, read_write> dt: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

fn softplus_series(x_2: f32) -> f32 {
  let t = exp(-abs(x_2));
  let t_1 = 2.0f + t;
  let t_2 = t / t_1;
  let t_3 = t_2 * t_2;
  return select(max(x_2, 0.0f) + t * ((2.0f + 2.0f * (((((((0.06666667f * t_3 + 0.07692308f) * t_3 + 0.09090909f) * t_3 + 0.11111111f) * t_3 + 0.14285715f) * t_3 + 0.2f) * t_3 + 0.33333334f) * t_3)) / t_1), x_2, (bitcast<u32>(x_2) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn ssd_dt(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.t * params.e) {
    return;
  }
  let e = point % params.e;
  let t = point / params.e;
  let softplus_series_value = softplus_series(dt_raw[t * params.e + e] + dt_bias[e]);
  dt[t * params.e + e] = softplus_series_value;
}

@group(0) @binding(0) var<storage, read> A_log: array<f32>;
@group(0) @binding(1) var<storage, read> dt_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> a: array<f32>;

@compute @workgroup_size(64)
fn ssd_a(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.t * params.e) {
    return;
  }
  let e = point % params.e;
  let t = point / params.e;
  a[t * params.e + e] = exp(-exp(A_log[e]) * dt_1[t * params.e + e]);
}

struct Params_1 {
  e: u32,
  n: u32,
  i: u32,
  t: u32,
  B_g: u32,
}

@group(0) @binding(0) var<storage, read> a_1: array<f32>;
@group(0) @binding(2) var<storage, read> B: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(4) var<storage, read_write> h: array<f32>;
@group(0) @binding(5) var<uniform> params_1: Params_1;

fn floor_div(x_2: i32, y_1: i32) -> i32 {
  let t = select(x_2 - x_2 / y_1 * y_1, 0i, y_1 == 0i);
  return select(x_2 / y_1 - i32(t != 0i && (t ^ y_1) < 0i), 0i, y_1 == 0i);
}

@compute @workgroup_size(64)
fn ssd_h(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.e * params_1.n * params_1.i) {
    return;
  }
  let i = point % params_1.i;
  let rest = point / params_1.i;
  let n = rest % params_1.n;
  let e = rest / params_1.n;
  var h_now = 0.0f;
  for (var t = 0u; t < params_1.t; t += 1u) {
    let floor_div_value = floor_div(i32(e) * i32(params_1.B_g), i32(params_1.e));
    let t_1 = u32(floor_div_value);
    let t_2 = t_1 < params_1.B_g;
    let t_3 = a_1[t * params_1.e + e] * h_now + dt_1[t * params_1.e + e] * select(0.0f, B[select(0u, (t * params_1.B_g + t_1) * params_1.n + n, t_2)], t_2) * x[(t * params_1.e + e) * params_1.i + i];
    h_now = t_3;
    h[((t * params_1.e + e) * params_1.n + n) * params_1.i + i] = t_3;
  }
}

struct Params_2 {
  t: u32,
  e: u32,
  i: u32,
  n: u32,
  B_g: u32,
}

@group(0) @binding(0) var<storage, read> C: array<f32>;
@group(0) @binding(1) var<storage, read> h_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> o: array<f32>;
@group(0) @binding(3) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn ssd_o(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.t * params_2.e * params_2.i) {
    return;
  }
  let i = point % params_2.i;
  let rest = point / params_2.i;
  let e = rest % params_2.e;
  let t = rest / params_2.e;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var n = 0u; n < params_2.n; n += 1u) {
    let floor_div_value = floor_div(i32(e) * i32(params_2.B_g), i32(params_2.e));
    let t_1 = u32(floor_div_value);
    let t_2 = t_1 < params_2.B_g;
    run = run + select(0.0f, C[select(0u, (t * params_2.B_g + t_1) * params_2.n + n, t_2)], t_2) * h_1[((t * params_2.e + e) * params_2.n + n) * params_2.i + i];
    if ((n & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((n & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  o[(t * params_2.e + e) * params_2.i + i] = total + (long_run + run);
}

struct Params_3 {
  t: u32,
  e: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> o_1: array<f32>;
@group(0) @binding(1) var<storage, read> D: array<f32>;
@group(0) @binding(2) var<storage, read> x_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
@group(0) @binding(4) var<uniform> params_3: Params_3;

@compute @workgroup_size(64)
fn ssd_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.t * params_3.e * params_3.i) {
    return;
  }
  let i = point % params_3.i;
  let rest = point / params_3.i;
  let e = rest % params_3.e;
  let t = rest / params_3.e;
  y[(t * params_3.e + e) * params_3.i + i] = o_1[(t * params_3.e + e) * params_3.i + i] + D[e] * x_1[(t * params_3.e + e) * params_3.i + i];
}
