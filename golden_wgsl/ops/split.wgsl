// shaderdsl golden, format 1
// op: shaderdsl.ops:split
// dialect: naga
//
//   given x[m, p], at: i32
//   a[m, i < at] = x[m, i]
//   b[m, i < size(p) - at] = x[m, i + at]
//   out(a, b)
//
// split_a: x read, a read_write, params uniform; barriers 0, shared bytes 0
// split_b: x read, b read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  m: u32,
  i: u32,
  x_p: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> a: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn split_a(
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
  let t = i < params.x_p;
  a[m * params.i + i] = select(0.0f, x[select(0u, m * params.x_p + i, t)], t);
}

struct Params_1 {
  at: i32,
  m: u32,
  i: u32,
  x_p: u32,
}

@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn split_b(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.m * params_1.i) {
    return;
  }
  let i = point % params_1.i;
  let m = point / params_1.i;
  let t = u32(i32(i) + params_1.at);
  let t_1 = t < params_1.x_p;
  b[m * params_1.i + i] = select(0.0f, x[select(0u, m * params_1.x_p + t, t_1)], t_1);
}
