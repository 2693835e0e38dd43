// shaderdsl golden, format 1
// op: shaderdsl.ops:split_heads
// dialect: naga
//
//   given x[t, p], heads: i32
//   y[h < heads, t, c < size(p) // heads] = x[t, h * (size(p) // heads) + c]
//
// split_heads_y: x read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  heads: i32,
  h: u32,
  t: u32,
  c: u32,
  x_p: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

fn floor_div(x_1: i32, y_1: i32) -> i32 {
  let t = select(x_1 - x_1 / y_1 * y_1, 0i, y_1 == 0i);
  return select(x_1 / y_1 - i32(t != 0i && (t ^ y_1) < 0i), 0i, y_1 == 0i);
}

@compute @workgroup_size(64)
fn split_heads_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.h * params.t * params.c) {
    return;
  }
  let c = point % params.c;
  let rest = point / params.c;
  let t = rest % params.t;
  let h = rest / params.t;
  let floor_div_value = floor_div(i32(params.x_p), params.heads);
  let t_1 = u32(i32(h) * floor_div_value + i32(c));
  let t_2 = t_1 < params.x_p;
  y[(h * params.t + t) * params.c + c] = select(0.0f, x[select(0u, t * params.x_p + t_1, t_2)], t_2);
}
