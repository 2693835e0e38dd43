// shaderdsl golden, format 1
// op: shaderdsl.ops:gather_columns.vjp
// dialect: naga
//
//   given x[t, c], columns[i]: i32, d_y[t, i]
//   d_x[t, c < size(c)] = sum(i) where(columns[i] == c, d_y[t, i], 0)
//
// gather_columns_vjp_d_x: columns read, d_y read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  t: u32,
  c: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> columns: array<i32>;
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn gather_columns_vjp_d_x(
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
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var i = 0u; i < params.i; i += 1u) {
    run = run + select(0.0f, d_y[t * params.i + i], columns[i] == i32(c));
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_x[t * params.c + c] = total + (long_run + run);
}
