// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/elementwise.py:angles
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

@compute @workgroup_size(64)
fn angles(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let a = x[i];
  out[i * 9u] = sin(a);
  out[i * 9u + 1u] = cos(a);
  out[i * 9u + 2u] = tan(a);
  out[i * 9u + 3u] = asin(a);
  out[i * 9u + 4u] = acos(a);
  out[i * 9u + 5u] = atan(a);
  out[i * 9u + 6u] = atan2(a, 2.0f);
  out[i * 9u + 7u] = degrees(a);
  out[i * 9u + 8u] = radians(a);
}
