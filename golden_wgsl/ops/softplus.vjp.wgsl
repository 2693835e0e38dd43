// shaderdsl golden, format 1
// op: shaderdsl.ops:softplus.vjp
// dialect: naga
//
//   given x[b], d_y[b]
//   d_x[b] = d_y[b] * sigmoid(x[b])
//
// softplus_vjp_d_x: d_y read, x read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

fn sigmoid(x_1: f32) -> f32 {
  let t = exp(-abs(x_1));
  return select(select(t, 1.0f, x_1 >= 0.0f) / (1.0f + t), x_1, (bitcast<u32>(x_1) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn softplus_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  let sigmoid_value = sigmoid(x[b]);
  d_x[b] = d_y[b] * sigmoid_value;
}
