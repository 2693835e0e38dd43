// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/elementwise.py:powers
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
fn powers(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let a = x[i];
  out[i * 7u] = exp(-a);
  out[i * 7u + 1u] = exp2(a);
  out[i * 7u + 2u] = log(a);
  out[i * 7u + 3u] = log2(a);
  out[i * 7u + 4u] = pow(a, 1.5f);
  out[i * 7u + 5u] = sqrt(a);
  out[i * 7u + 6u] = inverseSqrt(a);
}
