// shaderdsl golden, format 1
// op: shaderdsl.ops:ssd.vjp
// dialect: naga
//
//   given x[t, e, i], dt_raw[t, e], dt_bias[e], A_log[e], B[t, g, n], C[t, g, n], D[e], d_y[t, e, i]
//   dt[t, e] = softplus(dt_raw[t, e] + dt_bias[e])
//   a[t, e] = exp(-exp(A_log[e]) * dt[t, e])
//   h[t, e, n, i] = scan(t) a[t, e] * h[t - 1, e, n, i] + dt[t, e] * B[t, e * size(g) // size(e), n] * x[t, e, i]
//   c_h[t, e, n, i] = scan(t) C[t, e * size(g) // size(e), n] * d_y[t, e, i] + a[t + 1, e] * c_h[t + 1, e, n, i]
//   p[t, e] = sum(n, i) h[t - 1, e, n, i] * c_h[t, e, n, i]
//   p2[t, e] = sum(n, i) B[t, e * size(g) // size(e), n] * x[t, e, i] * c_h[t, e, n, i]
//   d_dt[t, e] = p2[t, e] - p[t, e] * exp(A_log[e] - dt[t, e] * exp(A_log[e]))
//   p3[t, e, i] = sum(n) B[t, e * size(g) // size(e), n] * c_h[t, e, n, i]
//   d_x[t, e, i] = dt[t, e] * p3[t, e, i] + D[e] * d_y[t, e, i]
//   d_dt_raw[t, e] = d_dt[t, e] * sigmoid(dt_raw[t, e] + dt_bias[e])
//   d_dt_bias[e] = sum(t) d_dt[t, e] * sigmoid(dt_raw[t, e] + dt_bias[e])
//   d_A_log[e] = sum(t) -(dt[t, e] * p[t, e] * exp(A_log[e] - dt[t, e] * exp(A_log[e])))
//   d_B[t, g < size(g), n] = sum(e, i) where(e * size(g) // size(e) == g, dt[t, e] * x[t, e, i] * c_h[t, e, n, i], 0)
//   d_C[t, g < size(g), n] = sum(e, i) where(e * size(g) // size(e) == g, h[t, e, n, i] * d_y[t, e, i], 0)
//   d_D[e] = sum(t, i) x[t, e, i] * d_y[t, e, i]
//   out(d_x, d_dt_raw, d_dt_bias, d_A_log, d_B, d_C, d_D)
//
// ssd_vjp_dt: dt_raw read, dt_bias read, dt read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_a: A_log read, dt read, a read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_h: a read, dt read, B read, x read, h read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_c_h: C read, d_y read, a read, c_h read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_p: h read, c_h read, p read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_p2: B read, x read, c_h read, p2 read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_d_dt: p2 read, p read, A_log read, dt read, d_dt read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_p3: B read, c_h read, p3 read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_d_x: dt read, p3 read, D read, d_y read, d_x read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_d_dt_raw: d_dt read, dt_raw read, dt_bias read, d_dt_raw read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_d_dt_bias: d_dt read, dt_raw read, dt_bias read, d_dt_bias read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_d_A_log: dt read, p read, A_log read, d_A_log read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_d_B: dt read, x read, c_h read, d_B read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_d_C: h read, d_y read, d_C read_write, params uniform; barriers 0, shared bytes 0
// ssd_vjp_d_D: x read, d_y read, d_D read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  t: u32,
  e: u32,
}

@group(0) @binding(0) var<storage, read> dt_raw: array<f32>;
@group(0) @binding(1) var<storage, read> dt_bias: array<f32>;
@group(0) @binding(2) var<storage, read_write> dt: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

fn softplus_series(x_3: f32) -> f32 {
  let t = exp(-abs(x_3));
  let t_1 = 2.0f + t;
  let t_2 = t / t_1;
  let t_3 = t_2 * t_2;
  return select(max(x_3, 0.0f) + t * ((2.0f + 2.0f * (((((((0.06666667f * t_3 + 0.07692308f) * t_3 + 0.09090909f) * t_3 + 0.11111111f) * t_3 + 0.14285715f) * t_3 + 0.2f) * t_3 + 0.33333334f) * t_3)) / t_1), x_3, (bitcast<u32>(x_3) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn ssd_vjp_dt(
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
fn ssd_vjp_a(
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

fn floor_div(x_3: i32, y: i32) -> i32 {
  let t = select(x_3 - x_3 / y * y, 0i, y == 0i);
  return select(x_3 / y - i32(t != 0i && (t ^ y) < 0i), 0i, y == 0i);
}

@compute @workgroup_size(64)
fn ssd_vjp_h(
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

@group(0) @binding(0) var<storage, read> C: array<f32>;
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read> a_2: array<f32>;
@group(0) @binding(3) var<storage, read_write> c_h: array<f32>;
@group(0) @binding(4) var<uniform> params_2: Params_1;

@compute @workgroup_size(64)
fn ssd_vjp_c_h(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.e * params_2.n * params_2.i) {
    return;
  }
  let i = point % params_2.i;
  let rest = point / params_2.i;
  let n = rest % params_2.n;
  let e = rest / params_2.n;
  var c_h_now = 0.0f;
  for (var step_ = 0u; step_ < params_2.t; step_ += 1u) {
    let t = params_2.t - 1u - step_;
    let floor_div_value = floor_div(i32(e) * i32(params_2.B_g), i32(params_2.e));
    let t_1 = u32(floor_div_value);
    let t_2 = t_1 < params_2.B_g;
    let t_3 = u32(i32(t) + 1i);
    let t_4 = t_3 < params_2.t;
    let t_5 = select(0.0f, C[select(0u, (t * params_2.B_g + t_1) * params_2.n + n, t_2)], t_2) * d_y[(t * params_2.e + e) * params_2.i + i] + select(0.0f, a_2[select(0u, t_3 * params_2.e + e, t_4)], t_4) * c_h_now;
    c_h_now = t_5;
    c_h[((t * params_2.e + e) * params_2.n + n) * params_2.i + i] = t_5;
  }
}

struct Params_2 {
  t: u32,
  e: u32,
  n: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> h_1: array<f32>;
@group(0) @binding(1) var<storage, read> c_h_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;
@group(0) @binding(3) var<uniform> params_3: Params_2;

@compute @workgroup_size(64)
fn ssd_vjp_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.t * params_3.e) {
    return;
  }
  let e = point % params_3.e;
  let t = point / params_3.e;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var n = 0u; n < params_3.n; n += 1u) {
    for (var i = 0u; i < params_3.i; i += 1u) {
      let t_1 = u32(i32(t) - 1i);
      let t_2 = t_1 < params_3.t;
      run = run + select(0.0f, h_1[select(0u, ((t_1 * params_3.e + e) * params_3.n + n) * params_3.i + i, t_2)], t_2) * c_h_1[((t * params_3.e + e) * params_3.n + n) * params_3.i + i];
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
  p[t * params_3.e + e] = total + (long_run + run);
}

struct Params_3 {
  t: u32,
  e: u32,
  n: u32,
  i: u32,
  B_g: u32,
}

@group(0) @binding(0) var<storage, read> B_1: array<f32>;
@group(0) @binding(1) var<storage, read> x_1: array<f32>;
@group(0) @binding(2) var<storage, read> c_h_2: array<f32>;
@group(0) @binding(3) var<storage, read_write> p2: array<f32>;
@group(0) @binding(4) var<uniform> params_4: Params_3;

@compute @workgroup_size(64)
fn ssd_vjp_p2(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_4.t * params_4.e) {
    return;
  }
  let e = point % params_4.e;
  let t = point / params_4.e;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var n = 0u; n < params_4.n; n += 1u) {
    for (var i = 0u; i < params_4.i; i += 1u) {
      let floor_div_value = floor_div(i32(e) * i32(params_4.B_g), i32(params_4.e));
      let t_1 = u32(floor_div_value);
      let t_2 = t_1 < params_4.B_g;
      run = run + select(0.0f, B_1[select(0u, (t * params_4.B_g + t_1) * params_4.n + n, t_2)], t_2) * x_1[(t * params_4.e + e) * params_4.i + i] * c_h_2[((t * params_4.e + e) * params_4.n + n) * params_4.i + i];
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
  p2[t * params_4.e + e] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> p2_1: array<f32>;
@group(0) @binding(1) var<storage, read> p_1: array<f32>;
@group(0) @binding(2) var<storage, read> A_log_1: array<f32>;
@group(0) @binding(3) var<storage, read> dt_2: array<f32>;
@group(0) @binding(4) var<storage, read_write> d_dt: array<f32>;
@group(0) @binding(5) var<uniform> params_5: Params;

@compute @workgroup_size(64)
fn ssd_vjp_d_dt(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_5.t * params_5.e) {
    return;
  }
  let e = point % params_5.e;
  let t = point / params_5.e;
  let A_log_value = A_log_1[e];
  d_dt[t * params_5.e + e] = p2_1[t * params_5.e + e] - p_1[t * params_5.e + e] * exp(A_log_value - dt_2[t * params_5.e + e] * exp(A_log_value));
}

struct Params_4 {
  t: u32,
  e: u32,
  i: u32,
  n: u32,
  B_g: u32,
}

@group(0) @binding(2) var<storage, read_write> p3: array<f32>;
@group(0) @binding(3) var<uniform> params_6: Params_4;

@compute @workgroup_size(64)
fn ssd_vjp_p3(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_6.t * params_6.e * params_6.i) {
    return;
  }
  let i = point % params_6.i;
  let rest = point / params_6.i;
  let e = rest % params_6.e;
  let t = rest / params_6.e;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var n = 0u; n < params_6.n; n += 1u) {
    let floor_div_value = floor_div(i32(e) * i32(params_6.B_g), i32(params_6.e));
    let t_1 = u32(floor_div_value);
    let t_2 = t_1 < params_6.B_g;
    run = run + select(0.0f, B_1[select(0u, (t * params_6.B_g + t_1) * params_6.n + n, t_2)], t_2) * c_h_1[((t * params_6.e + e) * params_6.n + n) * params_6.i + i];
    if ((n & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((n & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p3[(t * params_6.e + e) * params_6.i + i] = total + (long_run + run);
}

struct Params_5 {
  t: u32,
  e: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> dt_3: array<f32>;
@group(0) @binding(1) var<storage, read> p3_1: array<f32>;
@group(0) @binding(2) var<storage, read> D: array<f32>;
@group(0) @binding(3) var<storage, read> d_y_1: array<f32>;
@group(0) @binding(4) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(5) var<uniform> params_7: Params_5;

@compute @workgroup_size(64)
fn ssd_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_7.t * params_7.e * params_7.i) {
    return;
  }
  let i = point % params_7.i;
  let rest = point / params_7.i;
  let e = rest % params_7.e;
  let t = rest / params_7.e;
  d_x[(t * params_7.e + e) * params_7.i + i] = dt_3[t * params_7.e + e] * p3_1[(t * params_7.e + e) * params_7.i + i] + D[e] * d_y_1[(t * params_7.e + e) * params_7.i + i];
}

@group(0) @binding(0) var<storage, read> d_dt_1: array<f32>;
@group(0) @binding(1) var<storage, read> dt_raw_1: array<f32>;
@group(0) @binding(2) var<storage, read> dt_bias_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_dt_raw: array<f32>;
@group(0) @binding(4) var<uniform> params_8: Params;

fn sigmoid(x_3: f32) -> f32 {
  let t = exp(-abs(x_3));
  return select(select(t, 1.0f, x_3 >= 0.0f) / (1.0f + t), x_3, (bitcast<u32>(x_3) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn ssd_vjp_d_dt_raw(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_8.t * params_8.e) {
    return;
  }
  let e = point % params_8.e;
  let t = point / params_8.e;
  let sigmoid_value = sigmoid(dt_raw_1[t * params_8.e + e] + dt_bias_1[e]);
  d_dt_raw[t * params_8.e + e] = d_dt_1[t * params_8.e + e] * sigmoid_value;
}

struct Params_6 {
  e: u32,
  t: u32,
}

@group(0) @binding(3) var<storage, read_write> d_dt_bias: array<f32>;
@group(0) @binding(4) var<uniform> params_9: Params_6;

@compute @workgroup_size(64)
fn ssd_vjp_d_dt_bias(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let e = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (e >= params_9.e) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var t = 0u; t < params_9.t; t += 1u) {
    let sigmoid_value = sigmoid(dt_raw_1[t * params_9.e + e] + dt_bias_1[e]);
    run = run + d_dt_1[t * params_9.e + e] * sigmoid_value;
    if ((t & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((t & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_dt_bias[e] = total + (long_run + run);
}

@group(0) @binding(3) var<storage, read_write> d_A_log: array<f32>;

@compute @workgroup_size(64)
fn ssd_vjp_d_A_log(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let e = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (e >= params_9.e) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var t = 0u; t < params_9.t; t += 1u) {
    let dt_value = dt_3[t * params_9.e + e];
    let A_log_value = A_log_1[e];
    run = run + (-(dt_value * p_1[t * params_9.e + e] * exp(A_log_value - dt_value * exp(A_log_value))));
    if ((t & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((t & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_A_log[e] = total + (long_run + run);
}

struct Params_7 {
  t: u32,
  g: u32,
  n: u32,
  e: u32,
  i: u32,
}

@group(0) @binding(3) var<storage, read_write> d_B: array<f32>;
@group(0) @binding(4) var<uniform> params_10: Params_7;

@compute @workgroup_size(64)
fn ssd_vjp_d_B(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_10.t * params_10.g * params_10.n) {
    return;
  }
  let n = point % params_10.n;
  let rest = point / params_10.n;
  let g = rest % params_10.g;
  let t = rest / params_10.g;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var e = 0u; e < params_10.e; e += 1u) {
    for (var i = 0u; i < params_10.i; i += 1u) {
      let floor_div_value = floor_div(i32(e) * i32(params_10.g), i32(params_10.e));
      run = run + select(0.0f, dt_3[t * params_10.e + e] * x_1[(t * params_10.e + e) * params_10.i + i] * c_h_2[((t * params_10.e + e) * params_10.n + n) * params_10.i + i], floor_div_value == i32(g));
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
  d_B[(t * params_10.g + g) * params_10.n + n] = total + (long_run + run);
}

@group(0) @binding(2) var<storage, read_write> d_C: array<f32>;
@group(0) @binding(3) var<uniform> params_11: Params_7;

@compute @workgroup_size(64)
fn ssd_vjp_d_C(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_11.t * params_11.g * params_11.n) {
    return;
  }
  let n = point % params_11.n;
  let rest = point / params_11.n;
  let g = rest % params_11.g;
  let t = rest / params_11.g;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var e = 0u; e < params_11.e; e += 1u) {
    for (var i = 0u; i < params_11.i; i += 1u) {
      let floor_div_value = floor_div(i32(e) * i32(params_11.g), i32(params_11.e));
      run = run + select(0.0f, h_1[((t * params_11.e + e) * params_11.n + n) * params_11.i + i] * d_y[(t * params_11.e + e) * params_11.i + i], floor_div_value == i32(g));
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
  d_C[(t * params_11.g + g) * params_11.n + n] = total + (long_run + run);
}

struct Params_8 {
  e: u32,
  t: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x_2: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_D: array<f32>;
@group(0) @binding(3) var<uniform> params_12: Params_8;

@compute @workgroup_size(64)
fn ssd_vjp_d_D(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let e = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (e >= params_12.e) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var t = 0u; t < params_12.t; t += 1u) {
    for (var i = 0u; i < params_12.i; i += 1u) {
      run = run + x_2[(t * params_12.e + e) * params_12.i + i] * d_y[(t * params_12.e + e) * params_12.i + i];
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
  d_D[e] = total + (long_run + run);
}
