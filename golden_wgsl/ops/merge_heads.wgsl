// shaderdsl golden, format 1
// op: shaderdsl.ops:merge_heads
// dialect: naga
//
//   given x[h, t, c]
//   y[t, p < size(h) * size(c)] = x[p // size(c), t, p % size(c)]
//
// merge_heads_y: x read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  t: u32,
  p: u32,
  x_c: u32,
  x_h: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

fn floor_div(x_1: i32, y_1: i32) -> i32 {
  let t = select(x_1 - x_1 / y_1 * y_1, 0i, y_1 == 0i);
  return select(x_1 / y_1 - i32(t != 0i && (t ^ y_1) < 0i), 0i, y_1 == 0i);
}

fn floor_mod(x_1: i32, y_1: i32) -> i32 {
  let t = select(x_1 - x_1 / y_1 * y_1, 0i, y_1 == 0i);
  return select(select(t, t + y_1, t != 0i && (t ^ y_1) < 0i), 0i, y_1 == 0i);
}

@compute @workgroup_size(64)
fn merge_heads_y(
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
  let t_1 = i32(p);
  let floor_div_value = floor_div(t_1, i32(params.x_c));
  let t_2 = u32(floor_div_value);
  let floor_mod_value = floor_mod(t_1, i32(params.x_c));
  let t_3 = u32(floor_mod_value);
  let t_4 = t_2 < params.x_h && t_3 < params.x_c;
  y[t * params.p + p] = select(0.0f, x[select(0u, (t_2 * params.t + t) * params.x_c + t_3, t_4)], t_4);
}
