// shaderdsl golden, format 1
// op: shaderdsl.ops:wrapping_product
// dialect: naga
//
//   given a[i]: u32, b[i]: u32
//   y[i] = a[i] * b[i] + a[i]
//
// wrapping_product_y: a read, b read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  i: u32,
}

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<u32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn wrapping_product_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.i) {
    return;
  }
  let a_value = a[i];
  y[i] = a_value * b[i] + a_value;
}
