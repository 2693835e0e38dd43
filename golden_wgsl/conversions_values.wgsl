// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/conversions.py:values
// dialect: naga
// bindings: x read, signed read_write, unsigned read_write, floats read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> signed: array<i32>;
@group(0) @binding(2) var<storage, read_write> unsigned: array<u32>;
@group(0) @binding(3) var<storage, read_write> floats: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(64)
fn values(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let a = x[i];
  let b = i32(a);
  signed[i * 3u] = b;
  signed[i * 3u + 1u] = i32(u32(a));
  signed[i * 3u + 2u] = i32(bool(b));
  unsigned[i * 3u] = u32(a);
  unsigned[i * 3u + 1u] = u32(b);
  unsigned[i * 3u + 2u] = u32(a > 0.0f);
  floats[i * 3u] = f32(b);
  floats[i * 3u + 1u] = f32(u32(b));
  floats[i * 3u + 2u] = f32(bool(a));
}
