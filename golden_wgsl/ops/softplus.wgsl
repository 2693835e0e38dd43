// shaderdsl golden, format 1
// op: shaderdsl.ops:softplus
// dialect: naga
//
//   given x[...]
//   y[...] = softplus(x[...])
//
// softplus_y: x read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

fn softplus_series(x_1: f32) -> f32 {
  let t = exp(-abs(x_1));
  let t_1 = 2.0f + t;
  let t_2 = t / t_1;
  let t_3 = t_2 * t_2;
  return select(max(x_1, 0.0f) + t * ((2.0f + 2.0f * (((((((0.06666667f * t_3 + 0.07692308f) * t_3 + 0.09090909f) * t_3 + 0.11111111f) * t_3 + 0.14285715f) * t_3 + 0.2f) * t_3 + 0.33333334f) * t_3)) / t_1), x_1, (bitcast<u32>(x_1) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn softplus_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  let softplus_series_value = softplus_series(x[at_0]);
  y[at_0] = softplus_series_value;
}
