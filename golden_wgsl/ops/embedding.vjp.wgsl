// shaderdsl golden, format 1
// op: shaderdsl.ops:embedding.vjp
// dialect: naga
//
//   given w[v, c], ids[t]: i32, d_x[t, c]
//   d_w[v < size(v), c] = sum(t) where(ids[t] == v, d_x[t, c], 0)
//
// embedding_vjp_d_w: ids read, d_x read, d_w read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  v: u32,
  c: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> ids: array<i32>;
@group(0) @binding(1) var<storage, read> d_x: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_w: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn embedding_vjp_d_w(
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
  for (var t = 0u; t < params.t; t += 1u) {
    run = run + select(0.0f, d_x[t * params.c + c], ids[t] == i32(v));
    if ((t & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((t & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_w[v * params.c + c] = total + (long_run + run);
}
