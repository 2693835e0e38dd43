// shaderdsl golden, format 1
// op: shaderdsl.ops:silu
// dialect: naga
//
//   given x[...]
//   y[...] = silu(x[...])
//
// silu_y: x read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

fn silu_series(x_1: f32) -> f32 {
  let t = 0.5f * abs(x_1);
  let t_1 = exp(-t);
  let t_2 = x_1 < 0.0f;
  return select(select(x_1, x_1 * t_1, t_2) / select(1.0f + t_1 * t_1, exp(t) + t_1, t_2), x_1, (bitcast<u32>(x_1) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn silu_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  let silu_series_value = silu_series(x[at_0]);
  y[at_0] = silu_series_value;
}
