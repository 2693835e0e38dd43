// shaderdsl golden, format 1
// op: shaderdsl.ops:cache_write
// dialect: naga
//
//   given cache[h, s, c], new[h, t, c], position: i32
//   y[h, s, c] = where(s >= position and s < position + size(t), new[h, s - position, c], cache[h, s, c])
//
// cache_write_y: new read, cache read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  position: i32,
  h: u32,
  s: u32,
  c: u32,
  new_t: u32,
}

@group(0) @binding(0) var<storage, read> new_: array<f32>;
@group(0) @binding(1) var<storage, read> cache: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn cache_write_y(
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
  let t_1 = u32(t - params.position);
  let t_2 = t_1 < params.new_t;
  y[(h * params.s + s) * params.c + c] = select(cache[(h * params.s + s) * params.c + c], select(0.0f, new_[select(0u, (h * params.new_t + t_1) * params.c + c, t_2)], t_2), t >= params.position && t < params.position + i32(params.new_t));
}
