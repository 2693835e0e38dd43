// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/integers.py:bit_counts
// dialect: naga
// bindings: x read, out read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn bit_counts(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let a = x[i];
  out[i * 8u] = countLeadingZeros(a);
  out[i * 8u + 1u] = countOneBits(a);
  out[i * 8u + 2u] = countTrailingZeros(a);
  out[i * 8u + 3u] = firstLeadingBit(a);
  out[i * 8u + 4u] = firstTrailingBit(a);
  out[i * 8u + 5u] = reverseBits(a);
  out[i * 8u + 6u] = extractBits(a, 4u, 9u);
  out[i * 8u + 7u] = insertBits(a, 5u, i & 15u, 3u);
}
