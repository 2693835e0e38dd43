// shaderdsl golden, format 1
// op: shaderdsl.ops:mul.vjp
// dialect: naga
//
//   given a[b], b[b], d_y[b]
//   d_a[b] = b[b] * d_y[b]
//   d_b[b] = a[b] * d_y[b]
//   out(d_a, d_b)
//
// mul_vjp_d_a: b read, d_y read, d_a read_write, params uniform; barriers 0, shared bytes 0
// mul_vjp_d_b: a read, d_y read, d_b read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
}

@group(0) @binding(0) var<storage, read> b: array<f32>;
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_a: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn mul_vjp_d_a(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b_1 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b_1 >= params.b) {
    return;
  }
  d_a[b_1] = b[b_1] * d_y[b_1];
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_b: array<f32>;

@compute @workgroup_size(64)
fn mul_vjp_d_b(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b_1 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b_1 >= params.b) {
    return;
  }
  d_b[b_1] = a[b_1] * d_y[b_1];
}
