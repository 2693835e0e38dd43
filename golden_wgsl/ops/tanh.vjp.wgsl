// shaderdsl golden, format 1
// op: shaderdsl.ops:tanh.vjp
// dialect: naga
//
//   given x[b], d_y[b]
//   d_x[b] = d_y[b] / cosh(x[b]) ** 2
//
// tanh_vjp_d_x: d_y read, x read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

fn cosh_series(x_1: f32) -> f32 {
  let t = 0.5f * abs(min(abs(x_1), 170.0f));
  let t_1 = exp(-t);
  let t_2 = exp(t);
  return select(t_2 / (t_1 + t_1) + t_1 / (t_2 + t_2), x_1, (bitcast<u32>(x_1) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn tanh_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  let cosh_series_value = cosh_series(x[b]);
  d_x[b] = d_y[b] / (cosh_series_value * cosh_series_value);
}
