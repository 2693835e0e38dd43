// shaderdsl golden, format 1
// op: shaderdsl.ops:scatter_columns.vjp
// dialect: naga
//
//   given x[t, i], columns[i]: i32, count: i32, d_y[t, c_y]
//   d_x[t, i] = sum(c < count) where(columns[i] == c, d_y[t, c], 0)
//
// scatter_columns_vjp_d_x: columns read, d_y read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  t: u32,
  i: u32,
  c: u32,
  d_y_c_y: u32,
}

@group(0) @binding(0) var<storage, read> columns: array<i32>;
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn scatter_columns_vjp_d_x(
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
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var c = 0u; c < params.c; c += 1u) {
    let t_1 = c < params.d_y_c_y;
    run = run + select(0.0f, select(0.0f, d_y[select(0u, t * params.d_y_c_y + c, t_1)], t_1), columns[i] == i32(c));
    if ((c & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((c & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_x[t * params.i + i] = total + (long_run + run);
}
