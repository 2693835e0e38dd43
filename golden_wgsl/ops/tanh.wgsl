// shaderdsl golden, format 1
// op: shaderdsl.ops:tanh
// dialect: naga
//
//   given x[...]
//   y[...] = tanh(x[...])
//
// tanh_y: x read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

fn tanh_series(x_1: f32) -> f32 {
  let t = x_1 * x_1;
  let t_1 = min(abs(x_1), 20.0f);
  let t_2 = 1.0f - 2.0f / (exp(2.0f * t_1) + 1.0f);
  return select(select(select(t_2, -t_2, x_1 < 0.0f), x_1 + (((0.021869488f * t + (-0.053968254f)) * t + 0.13333334f) * t + (-0.33333334f)) * t * x_1, t_1 < 0.3f), x_1, (bitcast<u32>(x_1) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn tanh_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  let tanh_series_value = tanh_series(x[at_0]);
  y[at_0] = tanh_series_value;
}
