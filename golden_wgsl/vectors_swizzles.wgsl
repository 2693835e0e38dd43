// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/vectors.py:swizzles
// dialect: naga
// bindings: x read, y read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> y: array<vec4f>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn swizzles(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let v = x[i];
  let pair = vec2f(v.w, v.x);
  var w = vec4f(pair.yx, v.zz);
  w.x = w.x + 1.0f;
  w[2u] = v[i & 3u];
  y[i] = w * vec4f(2.0f) - v.zyxw;
}
