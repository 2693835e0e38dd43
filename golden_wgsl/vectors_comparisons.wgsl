// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/vectors.py:comparisons
// dialect: naga
// bindings: a read, b read, out read_write, flags read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> a: array<vec3i>;
@group(0) @binding(1) var<storage, read> b: array<vec3i>;
@group(0) @binding(2) var<storage, read_write> out: array<vec3i>;
@group(0) @binding(3) var<storage, read_write> flags: array<u32>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(64)
fn comparisons(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let p = a[i];
  let q = b[i];
  let less = p < q;
  let mixed = (less | (p == q)) & (!(p > vec3i(5i)));
  out[i] = select(q, p, mixed) + (p & vec3i(3i)) - (q >> vec3u(1u));
  flags[i] = u32(all(less)) + u32(any(p >= q)) * 2u + u32(any(p != q)) * 4u + u32(all(p <= q)) * 8u;
}
