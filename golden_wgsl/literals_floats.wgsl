// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/literals.py:floats
// dialect: naga
// bindings: out read_write
// barriers: 0
// shared bytes: 0

@group(0) @binding(0) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(1)
fn floats(
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (i >= 1u) {
    return;
  }
  out[i] = 3.4028234e38f;
  out[i + 1u] = -3.4028234e38f;
  out[i + 2u] = 1.1754944e-38f;
  out[i + 3u] = 1e-45f;
  out[i + 4u] = 0.1f;
  out[i + 5u] = 1e-7f;
  out[i + 6u] = 1000.0f;
  out[i + 7u] = 3.1415927f;
  out[i + 8u] = 7.0385313e-26f;
  out[i + 9u] = 123456790.0f;
  out[i + 10u] = 1e20f;
  out[i + 11u] = -0.5f;
  out[i + 12u] = 16777216.0f;
  out[i + 13u] = 0.00001f;
  out[i + 14u] = 0.3f;
  out[i + 15u] = 0.0f;
}
