// shaderdsl golden, format 1
// op: shaderdsl.ops:split_heads.vjp
// dialect: naga
//
//   given x[t, p], heads: i32, d_y[h_y, t, c_y]
//   d_x[t, p < size(p)] = sum(h < heads) d_y[h, t, p - h * (size(p) // heads)]
//
// split_heads_vjp_d_x: d_y read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  heads: i32,
  t: u32,
  p: u32,
  h: u32,
  d_y_h_y: u32,
  d_y_c_y: u32,
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

fn floor_div(x: i32, y: i32) -> i32 {
  let t = select(x - x / y * y, 0i, y == 0i);
  return select(x / y - i32(t != 0i && (t ^ y) < 0i), 0i, y == 0i);
}

@compute @workgroup_size(64)
fn split_heads_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.t * params.p) {
    return;
  }
  let p = point % params.p;
  let t = point / params.p;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var h = 0u; h < params.h; h += 1u) {
    let floor_div_value = floor_div(i32(params.p), params.heads);
    let t_1 = u32(i32(p) - i32(h) * floor_div_value);
    let t_2 = h < params.d_y_h_y && t_1 < params.d_y_c_y;
    run = run + select(0.0f, d_y[select(0u, (h * params.t + t) * params.d_y_c_y + t_1, t_2)], t_2);
    if ((h & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((h & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_x[t * params.p + p] = total + (long_run + run);
}
