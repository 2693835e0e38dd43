// shaderdsl golden, format 1
// op: shaderdsl.ops:gelu.vjp
// dialect: naga
//
//   given x[b], d_y[b]
//   d_x[b] = d_y[b] * gelu_slope(x[b])
//
// gelu_vjp_d_x: d_y read, x read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

fn gelu_slope(x_1: f32) -> f32 {
  let t = min(max(x_1, -100.0f), 100.0f);
  let t_1 = t * t;
  let t_2 = min(0.5f * abs(t * (1.0f + 0.044715f * t_1) * 1.5957692f), 80.0f);
  let t_3 = exp(-t_2);
  let t_4 = 1.0f + t_3 * t_3;
  let t_5 = t * (1.0f + 0.134145f * t_1) * 1.5957692f / t_4;
  let t_6 = t < 0.0f;
  return select(select(1.0f + t_5 * t_3 * t_3, (1.0f + t_5) * t_3, t_6) / select(t_4, exp(t_2) + t_3, t_6), x_1, (bitcast<u32>(x_1) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn gelu_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  let gelu_slope_value = gelu_slope(x[b]);
  d_x[b] = d_y[b] * gelu_slope_value;
}
