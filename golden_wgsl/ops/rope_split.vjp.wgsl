// shaderdsl golden, format 1
// op: shaderdsl.ops:rope_split.vjp
// dialect: naga
//
//   given x[b, t, d], base, offset: i32, d_y[b, t, d]
//   angle[t < size(t), i < size(d) // 2] = (t + offset) * base ** (-2 * i / size(d))
//   d_x[b, t, d < size(d)] = d_y[b, t, d] * where(d < size(d) // 2, cos(angle[t, d]), cos(angle[t, d - size(d) // 2])) + d_y[b, t, d + size(d) // 2] * sin(angle[t, d]) - d_y[b, t, d - size(d) // 2] * where(d - size(d) // 2 < size(d) // 2, sin(angle[t, d - size(d) // 2]), 0)
//
// rope_split_vjp_angle: angle read_write, params uniform; barriers 0, shared bytes 0
// rope_split_vjp_d_x: d_y read, angle read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  offset: i32,
  base: f32,
  t: u32,
  i: u32,
  x_d: u32,
  runtime_zero: u32,
}

@group(0) @binding(0) var<storage, read_write> angle: array<f32>;
@group(0) @binding(1) var<uniform> params: Params;

fn power(x: f32, y: f32) -> f32 {
  let t = select(pow(abs(x), y), select(bitcast<f32>(2139095040u | params.runtime_zero), 0.0f, y > 0.0f), x == 0.0f);
  let t_1 = y * 0.5f;
  return select(select(t, select(bitcast<f32>(2143289344u | params.runtime_zero), select(t, -t, floor(t_1) != t_1), floor(y) == y), x < 0.0f), 1.0f, y == 0.0f);
}

@compute @workgroup_size(64)
fn rope_split_vjp_angle(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.t * params.i) {
    return;
  }
  let i = point % params.i;
  let t = point / params.i;
  let power_value = power(params.base, f32(-2i * i32(i)) / f32(params.x_d));
  angle[t * params.i + i] = f32(i32(t) + params.offset) * power_value;
}

struct Params_1 {
  b: u32,
  t: u32,
  d: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read> angle_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

fn floor_div(x: i32, y: i32) -> i32 {
  let t = select(x - x / y * y, 0i, y == 0i);
  return select(x / y - i32(t != 0i && (t ^ y) < 0i), 0i, y == 0i);
}

fn cos_series(x: f32) -> f32 {
  let t = round(x * 0.63661975f);
  let t_1 = x - t * 1.5703125f - t * 0.0004837513f - t * 7.54979e-8f;
  let t_2 = t_1 * t_1;
  let t_3 = i32(t) + 1i;
  let t_4 = select(((-0.00019515296f * t_2 + 0.008332161f) * t_2 + (-0.16666655f)) * t_2 * t_1 + t_1, 1.0f - 0.5f * t_2 + ((0.000024433157f * t_2 + (-0.0013887316f)) * t_2 + 0.041666646f) * t_2 * t_2, (t_3 & 1i) != 0i);
  return select(cos(x), select(t_4, -t_4, (t_3 & 2i) != 0i), abs(x) <= 100000.0f);
}

fn sin_series(x: f32) -> f32 {
  let t = round(x * 0.63661975f);
  let t_1 = x - t * 1.5703125f - t * 0.0004837513f - t * 7.54979e-8f;
  let t_2 = t_1 * t_1;
  let t_3 = i32(t);
  let t_4 = select(((-0.00019515296f * t_2 + 0.008332161f) * t_2 + (-0.16666655f)) * t_2 * t_1 + t_1, 1.0f - 0.5f * t_2 + ((0.000024433157f * t_2 + (-0.0013887316f)) * t_2 + 0.041666646f) * t_2 * t_2, (t_3 & 1i) != 0i);
  return select(sin(x), select(t_4, -t_4, (t_3 & 2i) != 0i), abs(x) <= 100000.0f);
}

@compute @workgroup_size(64)
fn rope_split_vjp_d_x(
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
  let t_1 = i32(d);
  let floor_div_value = floor_div(i32(params_1.d), 2i);
  let t_2 = d < params_1.i;
  let t_3 = select(0.0f, angle_1[select(0u, t * params_1.i + d, t_2)], t_2);
  let cos_series_value = cos_series(t_3);
  let t_4 = t_1 - floor_div_value;
  let t_5 = u32(t_4);
  let t_6 = t_5 < params_1.i;
  let t_7 = select(0.0f, angle_1[select(0u, t * params_1.i + t_5, t_6)], t_6);
  let cos_series_value_1 = cos_series(t_7);
  let t_8 = u32(t_1 + floor_div_value);
  let t_9 = t_8 < params_1.d;
  let sin_series_value = sin_series(t_3);
  let t_10 = t_5 < params_1.d;
  let sin_series_value_1 = sin_series(t_7);
  d_x[(b * params_1.t + t) * params_1.d + d] = d_y[(b * params_1.t + t) * params_1.d + d] * select(cos_series_value_1, cos_series_value, t_1 < floor_div_value) + select(0.0f, d_y[select(0u, (b * params_1.t + t) * params_1.d + t_8, t_9)], t_9) * sin_series_value - select(0.0f, d_y[select(0u, (b * params_1.t + t) * params_1.d + t_5, t_10)], t_10) * select(0.0f, sin_series_value_1, t_4 < floor_div_value);
}
