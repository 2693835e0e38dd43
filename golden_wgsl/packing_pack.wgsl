// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/packing.py:pack
// dialect: naga
// bindings: x read, y read, out read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<vec4f>;
@group(0) @binding(1) var<storage, read> y: array<vec4i>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn pack(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let v = x[i];
  let w = y[i];
  out[i * 9u] = pack2x16float(v.xy);
  out[i * 9u + 1u] = pack2x16snorm(v.xy);
  out[i * 9u + 2u] = pack2x16unorm(v.zw);
  out[i * 9u + 3u] = pack4x8snorm(v);
  out[i * 9u + 4u] = pack4x8unorm(v);
  out[i * 9u + 5u] = pack4xI8(w);
  out[i * 9u + 6u] = pack4xU8(vec4u(w));
  out[i * 9u + 7u] = pack4xI8Clamp(w);
  out[i * 9u + 8u] = pack4xU8Clamp(vec4u(w));
}
