// shaderdsl golden, format 1
// op: shaderdsl.ops:min.vjp
// dialect: naga
//
//   given x[b, i], d_y[b]
//   y[b] = min(i) x[b, i]
//   p[b] = sum(i) where(x[b, i] == y[b], 1, 0)
//   d_x[b, i] = where(x[b, i] == y[b], d_y[b] / p[b], 0)
//
// min_vjp_y: x read, y read_write, params uniform; barriers 0, shared bytes 0
// min_vjp_p: x read, y read, p read_write, params uniform; barriers 0, shared bytes 0
// min_vjp_d_x: x read, y read, d_y read, p read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn min_vjp_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  var best = 0.0f;
  for (var i = 0u; i < params.i; i += 1u) {
    let x_value = x[b * params.i + i];
    best = select(min(best, x_value), x_value, i == 0u);
  }
  y[b] = best;
}

@group(0) @binding(1) var<storage, read> y_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<i32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn min_vjp_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params_1.b) {
    return;
  }
  var total = 0i;
  for (var i = 0u; i < params_1.i; i += 1u) {
    total = total + select(0i, 1i, x[b * params_1.i + i] == y_1[b]);
  }
  p[b] = total;
}

@group(0) @binding(2) var<storage, read> d_y: array<f32>;
@group(0) @binding(3) var<storage, read> p_1: array<i32>;
@group(0) @binding(4) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(5) var<uniform> params_2: Params;

@compute @workgroup_size(64)
fn min_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.b * params_2.i) {
    return;
  }
  let i = point % params_2.i;
  let b = point / params_2.i;
  d_x[b * params_2.i + i] = select(0.0f, d_y[b] / f32(p_1[b]), x[b * params_2.i + i] == y_1[b]);
}
