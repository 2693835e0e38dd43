// shaderdsl golden, format 1
// op: shaderdsl.ops:gelu
// dialect: naga
//
//   given x[...]
//   y[...] = gelu(x[...])
//
// gelu_y: x read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

fn sigmoid(x_1: f32) -> f32 {
  let t = exp(-abs(x_1));
  return select(select(t, 1.0f, x_1 >= 0.0f) / (1.0f + t), x_1, (bitcast<u32>(x_1) & 2147483647u) > 2139095040u);
}

fn gelu(x_1: f32) -> f32 {
  let sigmoid_value = sigmoid(1.5957692f * (x_1 + 0.044715f * (x_1 * x_1 * x_1)));
  return x_1 * sigmoid_value;
}

@compute @workgroup_size(64)
fn gelu_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  let gelu_value = gelu(x[at_0]);
  y[at_0] = gelu_value;
}
