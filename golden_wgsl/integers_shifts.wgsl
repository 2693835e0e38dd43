// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/integers.py:shifts
// dialect: naga
// bindings: x read, by read, out read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read> by: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<i32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn shifts(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let a = x[i];
  out[i * 4u] = a << by[i];
  out[i * 4u + 1u] = a >> by[i];
  out[i * 4u + 2u] = (a & 255i) | ((~a) & 32512i);
  out[i * 4u + 3u] = (a ^ (-1i)) + firstLeadingBit(a);
}
