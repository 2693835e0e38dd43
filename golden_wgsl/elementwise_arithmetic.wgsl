// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/elementwise.py:arithmetic
// dialect: naga
// bindings: x read, y read, out read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn arithmetic(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let a = x[i];
  let b = y[i];
  out[i * 6u] = a + b * 2.0f;
  out[i * 6u + 1u] = (a - b) * (a + b);
  out[i * 6u + 2u] = a / b - 1.0f / (b + 8.0f);
  out[i * 6u + 3u] = -a - (-b);
  out[i * 6u + 4u] = a % b;
  out[i * 6u + 5u] = a - (b - (a - b));
}
