// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/matrices.py:build
// dialect: naga
// bindings: angle read, out read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> angle: array<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<mat4x4f>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn build(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  var m = mat4x4f(vec4f(1.0f), vec4f(0.0f, angle[i], 0.0f, 0.0f), vec4f(2.0f), vec4f(0.0f, 0.0f, 0.0f, 1.0f));
  m[0u] = vec4f(angle[i]);
  m[2u].y = m[2u].y + 1.0f;
  out[i] = m;
}
