// shaderdsl golden, format 1
// op: shaderdsl.ops:top_k.vjp
// dialect: naga
//
//   given x[i, j], k: i32, d_values[i, r_values], d_places[i, r_places]
//   before[i, j] = sum(l) where(x[i, l] > x[i, j] or x[i, l] == x[i, j] and l < j, 1, 0)
//   d_x[i, j] = sum(r < k) where(before[i, j] == r, d_values[i, r], 0)
//
// top_k_vjp_before: x read, before read_write, params uniform; barriers 0, shared bytes 0
// top_k_vjp_d_x: before read, d_values read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  i: u32,
  j: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> before: array<i32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn top_k_vjp_before(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.i * params.j) {
    return;
  }
  let j = point % params.j;
  let i = point / params.j;
  var total = 0i;
  for (var l = 0u; l < params.j; l += 1u) {
    let x_value = x[i * params.j + l];
    let x_value_1 = x[i * params.j + j];
    total = total + select(0i, 1i, x_value > x_value_1 || (x_value == x_value_1 && i32(l) < i32(j)));
  }
  before[i * params.j + j] = total;
}

struct Params_1 {
  i: u32,
  j: u32,
  r: u32,
  d_values_r_values: u32,
}

@group(0) @binding(0) var<storage, read> before_1: array<i32>;
@group(0) @binding(1) var<storage, read> d_values: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn top_k_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.i * params_1.j) {
    return;
  }
  let j = point % params_1.j;
  let i = point / params_1.j;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var r = 0u; r < params_1.r; r += 1u) {
    let t = r < params_1.d_values_r_values;
    run = run + select(0.0f, select(0.0f, d_values[select(0u, i * params_1.d_values_r_values + r, t)], t), before_1[i * params_1.j + j] == i32(r));
    if ((r & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((r & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_x[i * params_1.j + j] = total + (long_run + run);
}
