// shaderdsl golden, format 1
// op: shaderdsl.ops:cache_write.vjp
// dialect: naga
//
//   given cache[h, s, c], new[h, t, c], position: i32, d_y[h, s, c]
//   d_cache[h, s, c] = where(s >= position and s < position + size(t), 0, d_y[h, s, c])
//   d_new[h, t < size(t), c] = d_y[h, t + position, c]
//   out(d_cache, d_new)
//
// cache_write_vjp_d_cache: d_y read, d_cache read_write, params uniform; barriers 0, shared bytes 0
// cache_write_vjp_d_new: d_y read, d_new read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  position: i32,
  h: u32,
  s: u32,
  c: u32,
  new_t: u32,
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_cache: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn cache_write_vjp_d_cache(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.h * params.s * params.c) {
    return;
  }
  let c = point % params.c;
  let rest = point / params.c;
  let s = rest % params.s;
  let h = rest / params.s;
  let t = i32(s);
  d_cache[(h * params.s + s) * params.c + c] = select(d_y[(h * params.s + s) * params.c + c], 0.0f, t >= params.position && t < params.position + i32(params.new_t));
}

struct Params_1 {
  position: i32,
  h: u32,
  t: u32,
  c: u32,
  s: u32,
}

@group(0) @binding(1) var<storage, read_write> d_new: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn cache_write_vjp_d_new(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.h * params_1.t * params_1.c) {
    return;
  }
  let c = point % params_1.c;
  let rest = point / params_1.c;
  let t = rest % params_1.t;
  let h = rest / params_1.t;
  let t_1 = u32(i32(t) + params_1.position);
  let t_2 = t_1 < params_1.s;
  d_new[(h * params_1.t + t) * params_1.c + c] = select(0.0f, d_y[select(0u, (h * params_1.s + t_1) * params_1.c + c, t_2)], t_2);
}
