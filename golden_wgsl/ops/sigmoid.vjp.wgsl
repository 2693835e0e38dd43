// shaderdsl golden, format 1
// op: shaderdsl.ops:sigmoid.vjp
// dialect: naga
//
//   given x[b], d_y[b]
//   y[b] = sigmoid(x[b])
//   d_x[b] = y[b] * d_y[b] * sigmoid(-x[b])
//
// sigmoid_vjp_y: x read, y read_write, params uniform; barriers 0, shared bytes 0
// sigmoid_vjp_d_x: y read, d_y read, x read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

fn sigmoid(x_2: f32) -> f32 {
  let t = exp(-abs(x_2));
  return select(select(t, 1.0f, x_2 >= 0.0f) / (1.0f + t), x_2, (bitcast<u32>(x_2) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn sigmoid_vjp_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  let sigmoid_value = sigmoid(x[b]);
  y[b] = sigmoid_value;
}

@group(0) @binding(0) var<storage, read> y_1: array<f32>;
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read> x_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(4) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn sigmoid_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params_1.b) {
    return;
  }
  let sigmoid_value = sigmoid(-x_1[b]);
  d_x[b] = y_1[b] * d_y[b] * sigmoid_value;
}
