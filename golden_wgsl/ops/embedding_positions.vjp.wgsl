// shaderdsl golden, format 1
// op: shaderdsl.ops:embedding_positions.vjp
// dialect: naga
//
//   given w[v, c], pos[t, c], ids[b, t]: i32, d_x[b, t, c]
//   d_w[v < size(v), c] = sum(b, t) where(ids[b, t] == v, d_x[b, t, c], 0)
//   d_pos[t, c] = sum(b) d_x[b, t, c]
//   out(d_w, d_pos)
//
// embedding_positions_vjp_d_w: ids read, d_x read, d_w read_write, params uniform; barriers 0, shared bytes 0
// embedding_positions_vjp_d_pos: d_x read, d_pos read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  v: u32,
  c: u32,
  b: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> ids: array<i32>;
@group(0) @binding(1) var<storage, read> d_x: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_w: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn embedding_positions_vjp_d_w(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.v * params.c) {
    return;
  }
  let c = point % params.c;
  let v = point / params.c;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var b = 0u; b < params.b; b += 1u) {
    for (var t = 0u; t < params.t; t += 1u) {
      run = run + select(0.0f, d_x[(b * params.t + t) * params.c + c], ids[b * params.t + t] == i32(v));
      let terms_value = terms;
      terms = terms_value + 1u;
      if ((terms_value & 15u) == 15u) {
        long_run = long_run + run;
        run = 0.0f;
        if ((terms_value & 255u) == 255u) {
          total = total + long_run;
          long_run = 0.0f;
        }
      }
    }
  }
  d_w[v * params.c + c] = total + (long_run + run);
}

struct Params_1 {
  t: u32,
  c: u32,
  b: u32,
}

@group(0) @binding(0) var<storage, read> d_x_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_pos: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn embedding_positions_vjp_d_pos(
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
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var b = 0u; b < params_1.b; b += 1u) {
    run = run + d_x_1[(b * params_1.t + t) * params_1.c + c];
    if ((b & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((b & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_pos[t * params_1.c + c] = total + (long_run + run);
}
