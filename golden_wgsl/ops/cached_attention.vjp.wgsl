// shaderdsl golden, format 1
// op: shaderdsl.ops:cached_attention.vjp
// dialect: naga
//
//   given q[h, t, c], k[g, u, c], v[g, u, d], scale, position: i32, d_o[h, t, d]
//   p[h, t, u] = sum(c) q[h, t, c] * k[h // (size(h) // size(g)), u, c]
//   z[h, t, u] = where(u <= position + t, scale * p[h, t, u], -1e+30)
//   m[h, t] = max(u) z[h, t, u]
//   e[h, t, u] = where(u <= position + t, exp(z[h, t, u] - m[h, t]), 0)
//   l[h, t] = sum(u) e[h, t, u]
//   a[h, t, u] = e[h, t, u] / l[h, t]
//   p2[h, t, u] = sum(d) v[h // (size(h) // size(g)), u, d] * d_o[h, t, d]
//   p3[h, t] = sum(u) a[h, t, u] * p2[h, t, u]
//   d_p[h, t, u] = scale * a[h, t, u] * (p2[h, t, u] - p3[h, t])
//   d_q[h, t, c] = sum(u) k[h // (size(h) // size(g)), u, c] * d_p[h, t, u]
//   d_k[g < size(g), u, c] = sum(t, h_of < size(h) // size(g)) d_p[g * (size(h) // size(g)) + h_of, t, u] * q[g * (size(h) // size(g)) + h_of, t, c]
//   d_v[g < size(g), u, d] = sum(t, h_of < size(h) // size(g)) d_o[g * (size(h) // size(g)) + h_of, t, d] * a[g * (size(h) // size(g)) + h_of, t, u]
//   out(d_q, d_k, d_v)
//
// cached_attention_vjp_p: q read, k read, p read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_vjp_z: p read, z read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_vjp_m: z read, m read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_vjp_e: z read, m read, e read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_vjp_l: e read, l read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_vjp_a: e read, l read, a read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_vjp_p2: v read, d_o read, p2 read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_vjp_p3: a read, p2 read, p3 read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_vjp_d_p: a read, p2 read, p3 read, d_p read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_vjp_d_q: k read, d_p read, d_q read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_vjp_d_k: d_p read, q read, d_k read_write, params uniform; barriers 0, shared bytes 0
// cached_attention_vjp_d_v: d_o read, a read, d_v read_write, params uniform; barriers 0, shared bytes 0

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
fn cached_attention_vjp_p(
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
fn cached_attention_vjp_z(
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
fn cached_attention_vjp_m(
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
fn cached_attention_vjp_e(
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
fn cached_attention_vjp_l(
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
fn cached_attention_vjp_a(
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
  u: u32,
  d: u32,
  k_g: u32,
}

@group(0) @binding(0) var<storage, read> v: array<f32>;
@group(0) @binding(1) var<storage, read> d_o: array<f32>;
@group(0) @binding(2) var<storage, read_write> p2: array<f32>;
@group(0) @binding(3) var<uniform> params_5: Params_4;

@compute @workgroup_size(64)
fn cached_attention_vjp_p2(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_5.h * params_5.t * params_5.u) {
    return;
  }
  let u = point % params_5.u;
  let rest = point / params_5.u;
  let t = rest % params_5.t;
  let h = rest / params_5.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var d = 0u; d < params_5.d; d += 1u) {
    let floor_div_value = floor_div(i32(params_5.h), i32(params_5.k_g));
    let floor_div_value_1 = floor_div(i32(h), floor_div_value);
    let t_1 = u32(floor_div_value_1);
    let t_2 = t_1 < params_5.k_g;
    run = run + select(0.0f, v[select(0u, (t_1 * params_5.u + u) * params_5.d + d, t_2)], t_2) * d_o[(h * params_5.t + t) * params_5.d + d];
    if ((d & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((d & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p2[(h * params_5.t + t) * params_5.u + u] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> a_1: array<f32>;
@group(0) @binding(1) var<storage, read> p2_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> p3: array<f32>;

@compute @workgroup_size(64)
fn cached_attention_vjp_p3(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_4.h * params_4.t) {
    return;
  }
  let t = point % params_4.t;
  let h = point / params_4.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var u = 0u; u < params_4.u; u += 1u) {
    run = run + a_1[(h * params_4.t + t) * params_4.u + u] * p2_1[(h * params_4.t + t) * params_4.u + u];
    if ((u & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((u & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p3[h * params_4.t + t] = total + (long_run + run);
}

struct Params_5 {
  scale: f32,
  h: u32,
  t: u32,
  u: u32,
}

@group(0) @binding(2) var<storage, read> p3_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_p: array<f32>;
@group(0) @binding(4) var<uniform> params_6: Params_5;

@compute @workgroup_size(64)
fn cached_attention_vjp_d_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_6.h * params_6.t * params_6.u) {
    return;
  }
  let u = point % params_6.u;
  let rest = point / params_6.u;
  let t = rest % params_6.t;
  let h = rest / params_6.t;
  d_p[(h * params_6.t + t) * params_6.u + u] = params_6.scale * a_1[(h * params_6.t + t) * params_6.u + u] * (p2_1[(h * params_6.t + t) * params_6.u + u] - p3_1[h * params_6.t + t]);
}

struct Params_6 {
  h: u32,
  t: u32,
  c: u32,
  u: u32,
  k_g: u32,
}

@group(0) @binding(0) var<storage, read> k_1: array<f32>;
@group(0) @binding(1) var<storage, read> d_p_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_q: array<f32>;
@group(0) @binding(3) var<uniform> params_7: Params_6;

@compute @workgroup_size(64)
fn cached_attention_vjp_d_q(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_7.h * params_7.t * params_7.c) {
    return;
  }
  let c = point % params_7.c;
  let rest = point / params_7.c;
  let t = rest % params_7.t;
  let h = rest / params_7.t;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var u = 0u; u < params_7.u; u += 1u) {
    let floor_div_value = floor_div(i32(params_7.h), i32(params_7.k_g));
    let floor_div_value_1 = floor_div(i32(h), floor_div_value);
    let t_1 = u32(floor_div_value_1);
    let t_2 = t_1 < params_7.k_g;
    run = run + select(0.0f, k_1[select(0u, (t_1 * params_7.u + u) * params_7.c + c, t_2)], t_2) * d_p_1[(h * params_7.t + t) * params_7.u + u];
    if ((u & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((u & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_q[(h * params_7.t + t) * params_7.c + c] = total + (long_run + run);
}

struct Params_7 {
  g: u32,
  u: u32,
  c: u32,
  t: u32,
  h_of: u32,
  h: u32,
}

@group(0) @binding(0) var<storage, read> d_p_2: array<f32>;
@group(0) @binding(1) var<storage, read> q_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_k: array<f32>;
@group(0) @binding(3) var<uniform> params_8: Params_7;

@compute @workgroup_size(64)
fn cached_attention_vjp_d_k(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_8.g * params_8.u * params_8.c) {
    return;
  }
  let c = point % params_8.c;
  let rest = point / params_8.c;
  let u = rest % params_8.u;
  let g = rest / params_8.u;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var t = 0u; t < params_8.t; t += 1u) {
    for (var h_of = 0u; h_of < params_8.h_of; h_of += 1u) {
      let floor_div_value = floor_div(i32(params_8.h), i32(params_8.g));
      let t_1 = u32(i32(g) * floor_div_value + i32(h_of));
      let t_2 = t_1 < params_8.h;
      run = run + select(0.0f, d_p_2[select(0u, (t_1 * params_8.t + t) * params_8.u + u, t_2)], t_2) * select(0.0f, q_1[select(0u, (t_1 * params_8.t + t) * params_8.c + c, t_2)], t_2);
      let terms_value = terms;
      terms = terms_value + 1u;
      if ((terms_value & 15u) == 15u) {
        long_run = long_run + run;
        run = 0.0f;
        if ((terms_value & 255u) == 255u) {
          total = total + long_run;
          long_run = 0.0f;
        }
      }
    }
  }
  d_k[(g * params_8.u + u) * params_8.c + c] = total + (long_run + run);
}

struct Params_8 {
  g: u32,
  u: u32,
  d: u32,
  t: u32,
  h_of: u32,
  h: u32,
}

@group(0) @binding(0) var<storage, read> d_o_1: array<f32>;
@group(0) @binding(1) var<storage, read> a_2: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_v: array<f32>;
@group(0) @binding(3) var<uniform> params_9: Params_8;

@compute @workgroup_size(64)
fn cached_attention_vjp_d_v(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_9.g * params_9.u * params_9.d) {
    return;
  }
  let d = point % params_9.d;
  let rest = point / params_9.d;
  let u = rest % params_9.u;
  let g = rest / params_9.u;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  var terms = 0u;
  for (var t = 0u; t < params_9.t; t += 1u) {
    for (var h_of = 0u; h_of < params_9.h_of; h_of += 1u) {
      let floor_div_value = floor_div(i32(params_9.h), i32(params_9.g));
      let t_1 = u32(i32(g) * floor_div_value + i32(h_of));
      let t_2 = t_1 < params_9.h;
      run = run + select(0.0f, d_o_1[select(0u, (t_1 * params_9.t + t) * params_9.d + d, t_2)], t_2) * select(0.0f, a_2[select(0u, (t_1 * params_9.t + t) * params_9.u + u, t_2)], t_2);
      let terms_value = terms;
      terms = terms_value + 1u;
      if ((terms_value & 15u) == 15u) {
        long_run = long_run + run;
        run = 0.0f;
        if ((terms_value & 255u) == 255u) {
          total = total + long_run;
          long_run = 0.0f;
        }
      }
    }
  }
  d_v[(g * params_9.u + u) * params_9.d + d] = total + (long_run + run);
}
