// shaderdsl golden, format 1
// op: shaderdsl.ops:rope_interleaved
// dialect: naga
//
//   given x[..., t, d], base, offset: i32
//   angle[t < size(t), i < size(d) // 2] = (t + offset) * base ** (-2 * i / size(d))
//   y[..., t, d] = where(d % 2 == 0, x[..., t, d] * cos(angle[t, d // 2]) - x[..., t, d + 1] * sin(angle[t, d // 2]), x[..., t, d - 1] * sin(angle[t, d // 2]) + x[..., t, d] * cos(angle[t, d // 2]))
//
// rope_interleaved_angle: angle read_write, params uniform; barriers 0, shared bytes 0
// rope_interleaved_y: x read, angle read, y read_write, params uniform; barriers 0, shared bytes 0

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

fn power(x_1: f32, y_1: f32) -> f32 {
  let t = select(pow(abs(x_1), y_1), select(bitcast<f32>(2139095040u | params.runtime_zero), 0.0f, y_1 > 0.0f), x_1 == 0.0f);
  let t_1 = y_1 * 0.5f;
  return select(select(t, select(bitcast<f32>(2143289344u | params.runtime_zero), select(t, -t, floor(t_1) != t_1), floor(y_1) == y_1), x_1 < 0.0f), 1.0f, y_1 == 0.0f);
}

@compute @workgroup_size(64)
fn rope_interleaved_angle(
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
  lead_0: u32,
  t: u32,
  d: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> angle_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

fn floor_mod(x_1: i32, y_1: i32) -> i32 {
  let t = select(x_1 - x_1 / y_1 * y_1, 0i, y_1 == 0i);
  return select(select(t, t + y_1, t != 0i && (t ^ y_1) < 0i), 0i, y_1 == 0i);
}

fn floor_div(x_1: i32, y_1: i32) -> i32 {
  let t = select(x_1 - x_1 / y_1 * y_1, 0i, y_1 == 0i);
  return select(x_1 / y_1 - i32(t != 0i && (t ^ y_1) < 0i), 0i, y_1 == 0i);
}

fn cos_series(x_1: f32) -> f32 {
  let t = round(x_1 * 0.63661975f);
  let t_1 = x_1 - t * 1.5703125f - t * 0.0004837513f - t * 7.54979e-8f;
  let t_2 = t_1 * t_1;
  let t_3 = i32(t) + 1i;
  let t_4 = select(((-0.00019515296f * t_2 + 0.008332161f) * t_2 + (-0.16666655f)) * t_2 * t_1 + t_1, 1.0f - 0.5f * t_2 + ((0.000024433157f * t_2 + (-0.0013887316f)) * t_2 + 0.041666646f) * t_2 * t_2, (t_3 & 1i) != 0i);
  return select(cos(x_1), select(t_4, -t_4, (t_3 & 2i) != 0i), abs(x_1) <= 100000.0f);
}

fn sin_series(x_1: f32) -> f32 {
  let t = round(x_1 * 0.63661975f);
  let t_1 = x_1 - t * 1.5703125f - t * 0.0004837513f - t * 7.54979e-8f;
  let t_2 = t_1 * t_1;
  let t_3 = i32(t);
  let t_4 = select(((-0.00019515296f * t_2 + 0.008332161f) * t_2 + (-0.16666655f)) * t_2 * t_1 + t_1, 1.0f - 0.5f * t_2 + ((0.000024433157f * t_2 + (-0.0013887316f)) * t_2 + 0.041666646f) * t_2 * t_2, (t_3 & 1i) != 0i);
  return select(sin(x_1), select(t_4, -t_4, (t_3 & 2i) != 0i), abs(x_1) <= 100000.0f);
}

@compute @workgroup_size(64)
fn rope_interleaved_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.lead_0 * params_1.t * params_1.d) {
    return;
  }
  let d = point % params_1.d;
  let rest = point / params_1.d;
  let t = rest % params_1.t;
  let at_0 = rest / params_1.t;
  let t_1 = i32(d);
  let floor_mod_value = floor_mod(t_1, 2i);
  let floor_div_value = floor_div(t_1, 2i);
  let t_2 = u32(floor_div_value);
  let t_3 = t_2 < params_1.i;
  let t_4 = select(0.0f, angle_1[select(0u, t * params_1.i + t_2, t_3)], t_3);
  let cos_series_value = cos_series(t_4);
  let t_5 = x[(at_0 * params_1.t + t) * params_1.d + d] * cos_series_value;
  let t_6 = u32(t_1 + 1i);
  let t_7 = t_6 < params_1.d;
  let sin_series_value = sin_series(t_4);
  let t_8 = u32(t_1 - 1i);
  let t_9 = t_8 < params_1.d;
  y[(at_0 * params_1.t + t) * params_1.d + d] = select(select(0.0f, x[select(0u, (at_0 * params_1.t + t) * params_1.d + t_8, t_9)], t_9) * sin_series_value + t_5, t_5 - select(0.0f, x[select(0u, (at_0 * params_1.t + t) * params_1.d + t_6, t_7)], t_7) * sin_series_value, floor_mod_value == 0i);
}
