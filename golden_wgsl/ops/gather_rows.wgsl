// shaderdsl golden, format 1
// op: shaderdsl.ops:gather_rows
// dialect: naga
//
//   given x[t, c], rows[i]: i32
//   y[i, c] = x[rows[i], c]
//
// gather_rows_y: rows read, x read, y read_write, params uniform; barriers 0, shared bytes 0
// gather_rows_y_indices_0: rows read, first_fault read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  i: u32,
  c: u32,
  x_t: u32,
}

@group(0) @binding(0) var<storage, read> rows: array<i32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn gather_rows_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.i * params.c) {
    return;
  }
  let c = point % params.c;
  let i = point / params.c;
  let t = u32(rows[i]);
  let t_1 = t < params.x_t;
  y[i * params.c + c] = select(0.0f, x[select(0u, t * params.c + c, t_1)], t_1);
}

@group(0) @binding(1) var<storage, read_write> first_fault: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn gather_rows_y_indices_0(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.i * params_1.c) {
    return;
  }
  let c = point % params_1.c;
  let i = point / params_1.c;
  if (!(u32(rows[i]) < params_1.x_t)) {
    atomicMin(&first_fault[0u], i * params_1.c + c);
  }
}
