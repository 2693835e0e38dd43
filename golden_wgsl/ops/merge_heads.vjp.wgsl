// shaderdsl golden, format 1
// op: shaderdsl.ops:merge_heads.vjp
// dialect: naga
//
//   given x[h, t, c], d_y[t, p_y]
//   d_x[h < size(h), t, c < size(c)] = sum(p_of < size(c)) where((h * size(c) + p_of) % size(c) == c, d_y[t, h * size(c) + p_of], 0)
//
// merge_heads_vjp_d_x: d_y read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  h: u32,
  t: u32,
  c: u32,
  p_of: u32,
  d_y_p_y: u32,
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

fn floor_mod(x: i32, y: i32) -> i32 {
  let t = select(x - x / y * y, 0i, y == 0i);
  return select(select(t, t + y, t != 0i && (t ^ y) < 0i), 0i, y == 0i);
}

@compute @workgroup_size(64)
fn merge_heads_vjp_d_x(
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
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var p_of = 0u; p_of < params.p_of; p_of += 1u) {
    let t_1 = i32(h) * i32(params.c) + i32(p_of);
    let floor_mod_value = floor_mod(t_1, i32(params.c));
    let t_2 = u32(t_1);
    let t_3 = t_2 < params.d_y_p_y;
    run = run + select(0.0f, select(0.0f, d_y[select(0u, t * params.d_y_p_y + t_2, t_3)], t_3), floor_mod_value == i32(c));
    if ((p_of & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((p_of & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_x[(h * params.t + t) * params.c + c] = total + (long_run + run);
}
