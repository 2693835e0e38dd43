// shaderdsl golden, format 1
// op: shaderdsl.ops:cached_attention
// dialect: naga
//
//   given q[h, t, c], k[g, u, c], v[g, u, d], scale, position: i32
//   p[h, t, u] = sum(c) q[h, t, c] * k[h // (size(h) // size(g)), u, c]
//   z[h, t, u] = where(u <= position + t, scale * p[h, t, u], -1e+30)
//   m[h, t] = max(u) z[h, t, u]
//   e[h, t, u] = where(u <= position + t, exp(z[h, t, u] - m[h, t]), 0)
//   l[h, t] = sum(u) e[h, t, u]
//   a[h, t, u] = e[h, t, u] / l[h, t]
//   o[h, t, d] = sum(u) a[h, t, u] * v[h // (size(h) // size(g)), u, d]
//
// cached_attention_p: q read, k read, p read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_z: p read, z read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_m: z read, m read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_e: z read, m read, e read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_l: e read, l read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_a: e read, l read, a read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_o: a read, v read, o read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  h: u32,
  t: u32,
  u: u32,
  c: u32,
  k_g: u32,
}

@group(0) @binding(0) var<storage, read> q: array<f32>;
@group(0) @binding(1) var<storage, read> k: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

fn floor_div(x: i32, y: i32) -> i32 {
  let t = select(x - x / y * y, 0i, y == 0i);
  return select(x / y - i32(t != 0i && (t ^ y) < 0i), 0i, y == 0i);
}

@compute @workgroup_size(64)
fn cached_attention_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.h * params.t * params.u) {
    return;
  }
  let u = point % params.u;
  let rest = point / params.u;
  let t = rest % params.t;
  let h = rest / params.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var c = 0u; c < params.c; c += 1u) {
    let floor_div_value = floor_div(i32(params.h), i32(params.k_g));
    let floor_div_value_1 = floor_div(i32(h), floor_div_value);
    let t_1 = u32(floor_div_value_1);
    let t_2 = t_1 < params.k_g;
    run = run + q[(h * params.t + t) * params.c + c] * select(0.0f, k[select(0u, (t_1 * params.u + u) * params.c + c, t_2)], t_2);
    if ((c & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((c & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[(h * params.t + t) * params.u + u] = total + (long_run + run);
}

struct Params_1 {
  position: i32,
  scale: f32,
  h: u32,
  t: u32,
  u: u32,
}

@group(0) @binding(0) var<storage, read> p_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> z: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn cached_attention_z(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.h * params_1.t * params_1.u) {
    return;
  }
  let u = point % params_1.u;
  let rest = point / params_1.u;
  let t = rest % params_1.t;
  let h = rest / params_1.t;
  z[(h * params_1.t + t) * params_1.u + u] = select(-1e30f, params_1.scale * p_1[(h * params_1.t + t) * params_1.u + u], i32(u) <= params_1.position + i32(t));
}

struct Params_2 {
  h: u32,
  t: u32,
  u: u32,
}

@group(0) @binding(0) var<storage, read> z_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> m: array<f32>;
@group(0) @binding(2) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn cached_attention_m(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.h * params_2.t) {
    return;
  }
  let t = point % params_2.t;
  let h = point / params_2.t;
  var best = 0.0f;
  for (var u = 0u; u < params_2.u; u += 1u) {
    let z_value = z_1[(h * params_2.t + t) * params_2.u + u];
    best = select(max(best, z_value), z_value, u == 0u);
  }
  m[h * params_2.t + t] = best;
}

struct Params_3 {
  position: i32,
  h: u32,
  t: u32,
  u: u32,
}

@group(0) @binding(1) var<storage, read> m_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> e: array<f32>;
@group(0) @binding(3) var<uniform> params_3: Params_3;

@compute @workgroup_size(64)
fn cached_attention_e(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.h * params_3.t * params_3.u) {
    return;
  }
  let u = point % params_3.u;
  let rest = point / params_3.u;
  let t = rest % params_3.t;
  let h = rest / params_3.t;
  e[(h * params_3.t + t) * params_3.u + u] = select(0.0f, exp(z_1[(h * params_3.t + t) * params_3.u + u] - m_1[h * params_3.t + t]), i32(u) <= params_3.position + i32(t));
}

@group(0) @binding(0) var<storage, read> e_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> l: array<f32>;

@compute @workgroup_size(64)
fn cached_attention_l(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.h * params_2.t) {
    return;
  }
  let t = point % params_2.t;
  let h = point / params_2.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var u = 0u; u < params_2.u; u += 1u) {
    run = run + e_1[(h * params_2.t + t) * params_2.u + u];
    if ((u & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((u & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  l[h * params_2.t + t] = total + (long_run + run);
}

@group(0) @binding(1) var<storage, read> l_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> a: array<f32>;
@group(0) @binding(3) var<uniform> params_4: Params_2;

@compute @workgroup_size(64)
fn cached_attention_a(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_4.h * params_4.t * params_4.u) {
    return;
  }
  let u = point % params_4.u;
  let rest = point / params_4.u;
  let t = rest % params_4.t;
  let h = rest / params_4.t;
  a[(h * params_4.t + t) * params_4.u + u] = e_1[(h * params_4.t + t) * params_4.u + u] / l_1[h * params_4.t + t];
}

struct Params_4 {
  h: u32,
  t: u32,
  d: u32,
  u: u32,
  k_g: u32,
}

@group(0) @binding(0) var<storage, read> a_1: array<f32>;
@group(0) @binding(1) var<storage, read> v: array<f32>;
@group(0) @binding(2) var<storage, read_write> o: array<f32>;
@group(0) @binding(3) var<uniform> params_5: Params_4;

@compute @workgroup_size(64)
fn cached_attention_o(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_5.h * params_5.t * params_5.d) {
    return;
  }
  let d = point % params_5.d;
  let rest = point / params_5.d;
  let t = rest % params_5.t;
  let h = rest / params_5.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var u = 0u; u < params_5.u; u += 1u) {
    let floor_div_value = floor_div(i32(params_5.h), i32(params_5.k_g));
    let floor_div_value_1 = floor_div(i32(h), floor_div_value);
    let t_1 = u32(floor_div_value_1);
    let t_2 = t_1 < params_5.k_g;
    run = run + a_1[(h * params_5.t + t) * params_5.u + u] * select(0.0f, v[select(0u, (t_1 * params_5.u + u) * params_5.d + d, t_2)], t_2);
    if ((u & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((u & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  o[(h * params_5.t + t) * params_5.d + d] = total + (long_run + run);
}
