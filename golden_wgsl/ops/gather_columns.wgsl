// shaderdsl golden, format 1
// op: shaderdsl.ops:gather_columns
// dialect: naga
//
//   given x[t, c], columns[i]: i32
//   y[t, i] = x[t, columns[i]]
//
// gather_columns_y: columns read, x read, y read_write, params uniform; barriers 0, shared bytes 0
// gather_columns_y_indices_0: columns read, first_fault read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  t: u32,
  i: u32,
  x_c: u32,
}

@group(0) @binding(0) var<storage, read> columns: array<i32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn gather_columns_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.t * params.i) {
    return;
  }
  let i = point % params.i;
  let t = point / params.i;
  let t_1 = u32(columns[i]);
  let t_2 = t_1 < params.x_c;
  y[t * params.i + i] = select(0.0f, x[select(0u, t * params.x_c + t_1, t_2)], t_2);
}

@group(0) @binding(1) var<storage, read_write> first_fault: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn gather_columns_y_indices_0(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.t * params_1.i) {
    return;
  }
  let i = point % params_1.i;
  let t = point / params_1.i;
  if (!(u32(columns[i]) < params_1.x_c)) {
    atomicMin(&first_fault[0u], t * params_1.i + i);
  }
}
