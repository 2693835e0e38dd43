// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/elementwise.py:activations
// dialect: naga
// bindings: x read, out read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

fn safe_tanh(x_1: f32) -> f32 {
  return select(tanh(clamp(x_1, -20.0f, 20.0f)), x_1, (bitcast<u32>(x_1) & 2147483647u) > 2139095040u);
}

fn sigmoid(x_1: f32) -> f32 {
  let t = exp(-abs(x_1));
  return select(select(t, 1.0f, x_1 >= 0.0f) / (1.0f + t), x_1, (bitcast<u32>(x_1) & 2147483647u) > 2139095040u);
}

fn softplus(x_1: f32) -> f32 {
  return select(max(x_1, 0.0f) + log(1.0f + exp(-abs(x_1))), x_1, (bitcast<u32>(x_1) & 2147483647u) > 2139095040u);
}

fn silu(x_1: f32) -> f32 {
  let sigmoid_value = sigmoid(x_1);
  return select(x_1 * sigmoid_value, x_1, (bitcast<u32>(x_1) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn activations(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let a = x[i];
  let safe_tanh_value = safe_tanh(a);
  out[i * 5u] = safe_tanh_value;
  let sigmoid_value = sigmoid(a);
  out[i * 5u + 1u] = sigmoid_value;
  let softplus_value = softplus(a);
  out[i * 5u + 2u] = softplus_value;
  let silu_value = silu(a);
  out[i * 5u + 3u] = silu_value;
  let safe_tanh_value_1 = safe_tanh(0.7978846f * (a + 0.044715f * a * a * a));
  out[i * 5u + 4u] = 0.5f * a * (1.0f + safe_tanh_value_1);
}
