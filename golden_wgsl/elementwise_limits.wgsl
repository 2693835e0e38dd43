// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/elementwise.py:limits
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
fn limits(
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
  out[i * 9u] = min(a, b);
  out[i * 9u + 1u] = max(a, 0.0f);
  out[i * 9u + 2u] = clamp(a, -1.0f, 1.0f);
  out[i * 9u + 3u] = saturate(b);
  out[i * 9u + 4u] = abs(a) * sign(b);
  out[i * 9u + 5u] = mix(a, b, 0.25f);
  out[i * 9u + 6u] = step(0.5f, a);
  out[i * 9u + 7u] = smoothstep(0.0f, 1.0f, a);
  out[i * 9u + 8u] = fma(a, b, 1.0f);
}
