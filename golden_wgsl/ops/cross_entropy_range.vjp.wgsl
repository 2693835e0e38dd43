// shaderdsl golden, format 1
// op: shaderdsl.ops:cross_entropy_range.vjp
// dialect: naga
//
//   given x[t, v], label[t]: i32, start: i32, stop: i32, d_loss[], m[t], s[t]
//   counted[t] = label[t] >= 0 and label[t] < size(v) and t >= start and t < stop
//   n = sum(t) where(counted[t], 1, 0)
//   d_each[t < size(t)] = d_loss / max(n, 1)
//   d_x[t, v] = where(counted[t], d_each[t] * exp(x[t, v] - m[t]) / s[t] - where(label[t] == v, d_each[t], 0), 0)
//
// cross_entropy_range_vjp_counted: label read, counted read_write, params uniform; barriers 0, shared bytes 0
// cross_entropy_range_vjp_n: counted read, n read_write, params uniform; barriers 0, shared bytes 0
// cross_entropy_range_vjp_d_each: d_loss read, n read, d_each read_write, params uniform; barriers 0, shared bytes 0
// cross_entropy_range_vjp_d_x: counted read, d_each read, x read, m read, s read, label read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  start: i32,
  stop: i32,
  t: u32,
  x_v: u32,
}

@group(0) @binding(0) var<storage, read> label: array<i32>;
@group(0) @binding(1) var<storage, read_write> counted: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn cross_entropy_range_vjp_counted(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let t = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (t >= params.t) {
    return;
  }
  let label_value = label[t];
  let t_1 = i32(t);
  counted[t] = u32(label_value >= 0i && label_value < i32(params.x_v) && t_1 >= params.start && t_1 < params.stop);
}

struct Params_1 {
  t: u32,
}

@group(0) @binding(0) var<storage, read> counted_1: array<u32>;
@group(0) @binding(1) var<storage, read_write> n: array<i32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn cross_entropy_range_vjp_n(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= 1u) {
    return;
  }
  var total = 0i;
  for (var t = 0u; t < params_1.t; t += 1u) {
    total = total + select(0i, 1i, counted_1[t] != 0u);
  }
  n[0u] = total;
}

@group(0) @binding(0) var<storage, read> d_loss: array<f32>;
@group(0) @binding(1) var<storage, read> n_1: array<i32>;
@group(0) @binding(2) var<storage, read_write> d_each: array<f32>;
@group(0) @binding(3) var<uniform> params_2: Params_1;

@compute @workgroup_size(64)
fn cross_entropy_range_vjp_d_each(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let t = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (t >= params_2.t) {
    return;
  }
  d_each[t] = d_loss[0u] / f32(max(n_1[0u], 1i));
}

struct Params_2 {
  t: u32,
  v: u32,
}

@group(0) @binding(1) var<storage, read> d_each_1: array<f32>;
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read> m: array<f32>;
@group(0) @binding(4) var<storage, read> s: array<f32>;
@group(0) @binding(5) var<storage, read> label_1: array<i32>;
@group(0) @binding(6) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(7) var<uniform> params_3: Params_2;

@compute @workgroup_size(64)
fn cross_entropy_range_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.t * params_3.v) {
    return;
  }
  let v = point % params_3.v;
  let t = point / params_3.v;
  let d_each_value = d_each_1[t];
  d_x[t * params_3.v + v] = select(0.0f, d_each_value * exp(x[t * params_3.v + v] - m[t]) / s[t] - select(0.0f, d_each_value, label_1[t] == i32(v)), counted_1[t] != 0u);
}
