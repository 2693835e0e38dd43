// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/elementwise.py:rounding
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
fn rounding(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let a = x[i];
  out[i * 11u] = ceil(a);
  out[i * 11u + 1u] = floor(a);
  out[i * 11u + 2u] = round(a);
  out[i * 11u + 3u] = trunc(a);
  out[i * 11u + 4u] = fract(a);
  out[i * 11u + 5u] = quantizeToF16(a);
  let parts = modf(a);
  out[i * 11u + 6u] = parts.fract;
  out[i * 11u + 7u] = parts.whole;
  let split = frexp(a);
  out[i * 11u + 8u] = split.fract;
  out[i * 11u + 9u] = f32(split.exp);
  out[i * 11u + 10u] = ldexp(split.fract, split.exp);
}
