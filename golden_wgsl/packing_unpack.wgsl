// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/packing.py:unpack
// dialect: naga
// bindings: x read, floats read_write, signed read_write, unsigned read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> floats: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> signed: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> unsigned: array<vec4u>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(64)
fn unpack(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let word = x[i];
  floats[i * 4u] = vec4f(unpack2x16snorm(word), unpack2x16unorm(word));
  floats[i * 4u + 1u] = unpack4x8snorm(word);
  floats[i * 4u + 2u] = unpack4x8unorm(word);
  floats[i * 4u + 3u] = vec4f(unpack2x16float(word & 1073692671u), 0.0f, 1.0f);
  signed[i] = unpack4xI8(word);
  unsigned[i] = unpack4xU8(word);
}
