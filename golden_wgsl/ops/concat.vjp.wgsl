// shaderdsl golden, format 1
// op: shaderdsl.ops:concat.vjp
// dialect: naga
//
//   given a[m, p], b[m, q], d_y[m, i_y]
//   d_a[m, p < size(p)] = d_y[m, p]
//   d_b[m, q < size(q)] = d_y[m, q + size(p)]
//   out(d_a, d_b)
//
// concat_vjp_d_a: d_y read, d_a read_write, params uniform; barriers 0, shared bytes 0
// concat_vjp_d_b: d_y read, d_b read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  m: u32,
  p: u32,
  d_y_i_y: u32,
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_a: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn concat_vjp_d_a(
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
  let t = p < params.d_y_i_y;
  d_a[m * params.p + p] = select(0.0f, d_y[select(0u, m * params.d_y_i_y + p, t)], t);
}

struct Params_1 {
  m: u32,
  q: u32,
  p: u32,
  d_y_i_y: u32,
}

@group(0) @binding(1) var<storage, read_write> d_b: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn concat_vjp_d_b(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.m * params_1.q) {
    return;
  }
  let q = point % params_1.q;
  let m = point / params_1.q;
  let t = u32(i32(q) + i32(params_1.p));
  let t_1 = t < params_1.d_y_i_y;
  d_b[m * params_1.q + q] = select(0.0f, d_y[select(0u, m * params_1.d_y_i_y + t, t_1)], t_1);
}
