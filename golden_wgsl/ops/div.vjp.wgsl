// shaderdsl golden, format 1
// op: shaderdsl.ops:div.vjp
// dialect: naga
//
//   given a[b], b[b], d_y[b]
//   d_a[b] = d_y[b] / b[b]
//   d_b[b] = -(a[b] * d_y[b] / b[b] / b[b])
//   out(d_a, d_b)
//
// div_vjp_d_a: d_y read, b read, d_a read_write, params uniform; barriers 0, shared bytes 0
// div_vjp_d_b: a read, d_y read, b read, d_b read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_a: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn div_vjp_d_a(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b_2 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b_2 >= params.b) {
    return;
  }
  d_a[b_2] = d_y[b_2] / b[b_2];
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> d_y_1: array<f32>;
@group(0) @binding(2) var<storage, read> b_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_b: array<f32>;
@group(0) @binding(4) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn div_vjp_d_b(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b_2 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b_2 >= params_1.b) {
    return;
  }
  let b_value = b_1[b_2];
  d_b[b_2] = -(a[b_2] * d_y_1[b_2] / b_value / b_value);
}
