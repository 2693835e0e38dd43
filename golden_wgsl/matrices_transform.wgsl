// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/matrices.py:transform
// dialect: naga
// bindings: points read, moved read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  turn: mat3x3f,
  offset: vec3f,
  n: u32,
}

@group(0) @binding(0) var<storage, read> points: array<vec3f>;
@group(0) @binding(1) var<storage, read_write> moved: array<vec3f>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn transform(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  moved[i] = params.turn * points[i] + params.offset;
}
