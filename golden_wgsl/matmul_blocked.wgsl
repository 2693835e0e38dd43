// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/matmul.py:blocked
// dialect: naga
// bindings: a read, b read, c read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  m: u32,
  n: u32,
  inner: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(8, 8)
fn blocked(
  @builtin(local_invocation_id) local_invocation_id: vec3u,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let groups_x = ((params.n + 1u) / 2u + 7u) / 8u;
  let row = group / groups_x * 8u + local_invocation_id.y;
  let block = group % groups_x * 8u + local_invocation_id.x;
  if (row >= params.m || block >= (params.n + 1u) / 2u) {
    return;
  }
  var v = 0.0f;
  var v_1 = 0.0f;
  for (var i = 0u; i < params.inner; i += 1u) {
    let value = a[row * params.inner + i];
    if (block * 2u + 0u < params.n) {
      v = v + value * b[i * params.n + (block * 2u + 0u)];
    }
    if (block * 2u + 1u < params.n) {
      v_1 = v_1 + value * b[i * params.n + (block * 2u + 1u)];
    }
  }
  if (block * 2u + 0u < params.n) {
    c[row * params.n + (block * 2u + 0u)] = v;
  }
  if (block * 2u + 1u < params.n) {
    c[row * params.n + (block * 2u + 1u)] = v_1;
  }
}
