// shaderdsl golden, format 1
// op: shaderdsl.ops:embedding_positions
// dialect: naga
//
//   given w[v, c], pos[t, c], ids[b, t]: i32
//   x[b, t, c] = w[ids[b, t], c] + pos[t, c]
//
// embedding_positions_x: ids read, w read, pos read, x read_write, params uniform; barriers 0, shared bytes 0
// embedding_positions_x_indices_0: ids read, first_fault read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  t: u32,
  c: u32,
  w_v: u32,
}

@group(0) @binding(0) var<storage, read> ids: array<i32>;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read> pos: array<f32>;
@group(0) @binding(3) var<storage, read_write> x: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(64)
fn embedding_positions_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.b * params.t * params.c) {
    return;
  }
  let c = point % params.c;
  let rest = point / params.c;
  let t = rest % params.t;
  let b = rest / params.t;
  let t_1 = u32(ids[b * params.t + t]);
  let t_2 = t_1 < params.w_v;
  x[(b * params.t + t) * params.c + c] = select(0.0f, w[select(0u, t_1 * params.c + c, t_2)], t_2) + pos[t * params.c + c];
}

@group(0) @binding(1) var<storage, read_write> first_fault: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn embedding_positions_x_indices_0(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.b * params_1.t * params_1.c) {
    return;
  }
  let c = point % params_1.c;
  let rest = point / params_1.c;
  let t = rest % params_1.t;
  let b = rest / params_1.t;
  if (!(u32(ids[b * params_1.t + t]) < params_1.w_v)) {
    atomicMin(&first_fault[0u], (b * params_1.t + t) * params_1.c + c);
  }
}
