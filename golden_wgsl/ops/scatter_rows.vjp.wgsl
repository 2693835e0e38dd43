// shaderdsl golden, format 1
// op: shaderdsl.ops:scatter_rows.vjp
// dialect: naga
//
//   given x[i, c], rows[i]: i32, count: i32, d_y[t_y, c]
//   d_x[i, c] = sum(t < count) where(rows[i] == t, d_y[t, c], 0)
//
// scatter_rows_vjp_d_x: rows read, d_y read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  i: u32,
  c: u32,
  t: u32,
  d_y_t_y: u32,
}

@group(0) @binding(0) var<storage, read> rows: array<i32>;
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn scatter_rows_vjp_d_x(
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
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var t = 0u; t < params.t; t += 1u) {
    let t_1 = t < params.d_y_t_y;
    run = run + select(0.0f, select(0.0f, d_y[select(0u, t * params.c + c, t_1)], t_1), rows[i] == i32(t));
    if ((t & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((t & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_x[i * params.c + c] = total + (long_run + run);
}
