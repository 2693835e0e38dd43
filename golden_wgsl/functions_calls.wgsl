// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/functions.py:calls
// dialect: naga
// bindings: x read, y read_write, z read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<storage, read_write> z: array<vec4f>;
@group(0) @binding(3) var<uniform> params: Params;

fn square(x_1: f32) -> f32 {
  return x_1 * x_1;
}

fn norm(x_1: f32, y_1: f32) -> f32 {
  let square_value = square(x_1);
  let square_value_1 = square(y_1);
  return sqrt(square_value + square_value_1);
}

fn root(x_1: f32, turns: u32) -> f32 {
  if (x_1 <= 0.0f) {
    return 0.0f;
  }
  var guess = x_1;
  for (var v = 0u; v < turns; v += 1u) {
    guess = 0.5f * (guess + x_1 / guess);
  }
  return guess;
}

fn spread(v: vec2f, by: vec2f) -> vec4f {
  return vec4f(v - by, v + by);
}

@compute @workgroup_size(64)
fn calls(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let norm_value = norm(x[i], 3.0f);
  let root_value = root(x[i], 8u);
  y[i] = norm_value + root_value;
  let spread_value = spread(vec2f(x[i]), vec2f(1.0f, 2.0f));
  z[i] = spread_value;
}
