// shaderdsl golden, format 1
// op: shaderdsl.ops:embedding
// dialect: naga
//
//   given w[v, c], ids[t]: i32
//   x[t, c] = w[ids[t], c]
//
// embedding_x: ids read, w read, x read_write, params uniform; barriers 0, shared bytes 0
// embedding_x_indices_0: ids read, first_fault read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  t: u32,
  c: u32,
  w_v: u32,
}

@group(0) @binding(0) var<storage, read> ids: array<i32>;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read_write> x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn embedding_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.t * params.c) {
    return;
  }
  let c = point % params.c;
  let t = point / params.c;
  let t_1 = u32(ids[t]);
  let t_2 = t_1 < params.w_v;
  x[t * params.c + c] = select(0.0f, w[select(0u, t_1 * params.c + c, t_2)], t_2);
}

@group(0) @binding(1) var<storage, read_write> first_fault: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn embedding_x_indices_0(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.t * params_1.c) {
    return;
  }
  let c = point % params_1.c;
  let t = point / params_1.c;
  if (!(u32(ids[t]) < params_1.w_v)) {
    atomicMin(&first_fault[0u], t * params_1.c + c);
  }
}
