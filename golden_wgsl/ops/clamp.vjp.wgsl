// shaderdsl golden, format 1
// op: shaderdsl.ops:clamp.vjp
// dialect: naga
//
//   given x[b], low, high, d_y[b]
//   d_x[b] = where(x[b] >= low and x[b] <= high, d_y[b], 0)
//
// clamp_vjp_d_x: x read, d_y read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  low: f32,
  high: f32,
  b: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn clamp_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  let x_value = x[b];
  d_x[b] = select(0.0f, d_y[b], x_value >= params.low && x_value <= params.high);
}
