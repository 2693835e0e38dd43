// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/half.py:vectors
// dialect: naga
// bindings: x read, y read_write, total read_write, params uniform
// barriers: 0
// shared bytes: 0

enable f16;

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4h>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4h>;
@group(0) @binding(2) var<storage, read_write> total: array<f32>;
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
  let v = x[i];
  let m = mat2x2h(v.xy, v.zw);
  y[i] = vec4h(m * vec2h(1.0h, 0.5h), max(v.zw, vec2h(0.0h)));
  total[i] = f32(dot(v, v)) + 65504.0f;
}
