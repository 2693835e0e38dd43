// shaderdsl golden, format 1
// op: shaderdsl.ops:concat
// dialect: naga
//
//   given a[m, p], b[m, q]
//   y[m, i < size(p) + size(q)] = where(i < size(p), a[m, i], b[m, i - size(p)])
//
// concat_y: a read, b read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  m: u32,
  i: u32,
  a_p: u32,
  b_q: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn concat_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.m * params.i) {
    return;
  }
  let i = point % params.i;
  let m = point / params.i;
  let t = i32(i);
  let t_1 = i < params.a_p;
  let t_2 = u32(t - i32(params.a_p));
  let t_3 = t_2 < params.b_q;
  y[m * params.i + i] = select(select(0.0f, b[select(0u, m * params.b_q + t_2, t_3)], t_3), select(0.0f, a[select(0u, m * params.a_p + i, t_1)], t_1), t < i32(params.a_p));
}
