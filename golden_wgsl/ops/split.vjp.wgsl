// shaderdsl golden, format 1
// op: shaderdsl.ops:split.vjp
// dialect: naga
//
//   given x[m, p], at: i32, d_a[m, i_a], d_b[m, i_b]
//   d_x[m, p < size(p)] = d_b[m, p - at] + d_a[m, p]
//
// split_vjp_d_x: d_b read, d_a read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  at: i32,
  m: u32,
  p: u32,
  d_b_i_b: u32,
  d_a_i_a: u32,
}

@group(0) @binding(0) var<storage, read> d_b: array<f32>;
@group(0) @binding(1) var<storage, read> d_a: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn split_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.m * params.p) {
    return;
  }
  let p = point % params.p;
  let m = point / params.p;
  let t = u32(i32(p) - params.at);
  let t_1 = t < params.d_b_i_b;
  let t_2 = p < params.d_a_i_a;
  d_x[m * params.p + p] = select(0.0f, d_b[select(0u, m * params.d_b_i_b + t, t_1)], t_1) + select(0.0f, d_a[select(0u, m * params.d_a_i_a + p, t_2)], t_2);
}
