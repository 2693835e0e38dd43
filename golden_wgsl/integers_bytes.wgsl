// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/integers.py:bytes_
// dialect: naga
// bindings: a read, b read, signed read_write, unsigned read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> signed: array<i32>;
@group(0) @binding(3) var<storage, read_write> unsigned: array<u32>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(64)
fn bytes_(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  signed[i] = dot4I8Packed(a[i], b[i]);
  unsigned[i] = dot4U8Packed(a[i], b[i]);
}
