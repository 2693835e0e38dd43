// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/conversions.py:vectors
// dialect: naga
// bindings: x read, y read_write, z read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<vec3f>;
@group(0) @binding(1) var<storage, read_write> y: array<vec3i>;
@group(0) @binding(2) var<storage, read_write> z: array<vec3u>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn vectors(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  y[i] = vec3i(x[i]);
  z[i] = vec3u(y[i] > vec3i(0i));
}
