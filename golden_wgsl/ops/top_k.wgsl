// shaderdsl golden, format 1
// op: shaderdsl.ops:top_k
// dialect: naga
//
//   given x[i, j], k: i32
//   before[i, j] = sum(l < size(j)) where(x[i, l] > x[i, j] or x[i, l] == x[i, j] and l < j, 1, 0)
//   values[i, r < k] = sum(j) where(before[i, j] == r, x[i, j], 0)
//   places[i, r < k] = sum(j) where(before[i, j] == r, j, 0)
//   out(values, places)
//
// top_k_before: x read, before read_write, params uniform; barriers 0, shared bytes 0
// top_k_values: before read, x read, values read_write, params uniform; barriers 0, shared bytes 0
// top_k_places: before read, places read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  i: u32,
  j: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> before: array<i32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn top_k_before(
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
  r: u32,
  j: u32,
}

@group(0) @binding(0) var<storage, read> before_1: array<i32>;
@group(0) @binding(1) var<storage, read> x_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> values: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn top_k_values(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.i * params_1.r) {
    return;
  }
  let r = point % params_1.r;
  let i = point / params_1.r;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var j = 0u; j < params_1.j; j += 1u) {
    run = run + select(0.0f, x_1[i * params_1.j + j], before_1[i * params_1.j + j] == i32(r));
    if ((j & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((j & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  values[i * params_1.r + r] = total + (long_run + run);
}

@group(0) @binding(1) var<storage, read_write> places: array<i32>;
@group(0) @binding(2) var<uniform> params_2: Params_1;

@compute @workgroup_size(64)
fn top_k_places(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.i * params_2.r) {
    return;
  }
  let r = point % params_2.r;
  let i = point / params_2.r;
  var total = 0i;
  for (var j = 0u; j < params_2.j; j += 1u) {
    total = total + select(0i, i32(j), before_1[i * params_2.j + j] == i32(r));
  }
  places[i * params_2.r + r] = total;
}
