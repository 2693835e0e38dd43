// shaderdsl golden, format 1
// op: shaderdsl.ops:argmax
// dialect: naga
//
//   given x[..., j]
//   m[...] = max(j) x[..., j]
//   at[..., j] = where(x[..., j] == m[...], j, size(j))
//   y[...] = min(j) at[..., j]
//
// argmax_m: x read, m read_write, params uniform; barriers 0, shared bytes 0
// argmax_at: x read, m read, at read_write, params uniform; barriers 0, shared bytes 0
// argmax_y: at read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
  j: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> m: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn argmax_m(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  var best = 0.0f;
  for (var j = 0u; j < params.j; j += 1u) {
    let x_value = x[at_0 * params.j + j];
    best = select(max(best, x_value), x_value, j == 0u);
  }
  m[at_0] = best;
}

@group(0) @binding(1) var<storage, read> m_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> at: array<i32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn argmax_at(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.lead_0 * params_1.j) {
    return;
  }
  let j = point % params_1.j;
  let at_0 = point / params_1.j;
  at[at_0 * params_1.j + j] = select(i32(params_1.j), i32(j), x[at_0 * params_1.j + j] == m_1[at_0]);
}

@group(0) @binding(0) var<storage, read> at_1: array<i32>;
@group(0) @binding(1) var<storage, read_write> y: array<i32>;

@compute @workgroup_size(64)
fn argmax_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  var best = 0i;
  for (var j = 0u; j < params.j; j += 1u) {
    let at_value = at_1[at_0 * params.j + j];
    best = select(min(best, at_value), at_value, j == 0u);
  }
  y[at_0] = best;
}
