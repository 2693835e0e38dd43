// shaderdsl golden, format 1
// op: shaderdsl.ops:tied_embedding.vjp
// dialect: naga
//
//   given w[v, c], ids[t]: i32, d_logits[t, v]
//   x[t, c] = w[ids[t], c]
//   p[t, c] = sum(v) w[v, c] * d_logits[t, v]
//   p2[v, c] = sum(t) x[t, c] * d_logits[t, v]
//   p3[v < size(v), c] = sum(t) where(ids[t] == v, p[t, c], 0)
//   d_w[v, c] = p2[v, c] + p3[v, c]
//
// tied_embedding_vjp_x: ids read, w read, x read_write, params uniform; barriers 0, shared bytes 0
// tied_embedding_vjp_x_indices_0: ids read, first_fault read_write, params uniform; barriers 0, shared bytes 0
// tied_embedding_vjp_p: w read, d_logits read, p read_write, params uniform; barriers 0, shared bytes 0
// tied_embedding_vjp_p2: x read, d_logits read, p2 read_write, params uniform; barriers 0, shared bytes 0
// tied_embedding_vjp_p3: ids read, p read, p3 read_write, params uniform; barriers 0, shared bytes 0
// tied_embedding_vjp_d_w: p2 read, p3 read, d_w read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  t: u32,
  c: u32,
  w_v: u32,
}

@group(0) @binding(0) var<storage, read> ids: array<i32>;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read_write> x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn tied_embedding_vjp_x(
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
  let t_1 = u32(ids[t]);
  let t_2 = t_1 < params.w_v;
  x[t * params.c + c] = select(0.0f, w[select(0u, t_1 * params.c + c, t_2)], t_2);
}

@group(0) @binding(1) var<storage, read_write> first_fault: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn tied_embedding_vjp_x_indices_0(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.t * params_1.c) {
    return;
  }
  let c = point % params_1.c;
  let t = point / params_1.c;
  if (!(u32(ids[t]) < params_1.w_v)) {
    atomicMin(&first_fault[0u], t * params_1.c + c);
  }
}

struct Params_1 {
  t: u32,
  c: u32,
  v: u32,
}

@group(0) @binding(0) var<storage, read> w_1: array<f32>;
@group(0) @binding(1) var<storage, read> d_logits: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;
@group(0) @binding(3) var<uniform> params_2: Params_1;

@compute @workgroup_size(64)
fn tied_embedding_vjp_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.t * params_2.c) {
    return;
  }
  let c = point % params_2.c;
  let t = point / params_2.c;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var v = 0u; v < params_2.v; v += 1u) {
    run = run + w_1[v * params_2.c + c] * d_logits[t * params_2.v + v];
    if ((v & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((v & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[t * params_2.c + c] = total + (long_run + run);
}

struct Params_2 {
  v: u32,
  c: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> x_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> p2: array<f32>;
@group(0) @binding(3) var<uniform> params_3: Params_2;

@compute @workgroup_size(64)
fn tied_embedding_vjp_p2(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.v * params_3.c) {
    return;
  }
  let c = point % params_3.c;
  let v = point / params_3.c;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var t = 0u; t < params_3.t; t += 1u) {
    run = run + x_1[t * params_3.c + c] * d_logits[t * params_3.v + v];
    if ((t & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((t & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p2[v * params_3.c + c] = total + (long_run + run);
}

@group(0) @binding(1) var<storage, read> p_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> p3: array<f32>;

@compute @workgroup_size(64)
fn tied_embedding_vjp_p3(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.v * params_3.c) {
    return;
  }
  let c = point % params_3.c;
  let v = point / params_3.c;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var t = 0u; t < params_3.t; t += 1u) {
    run = run + select(0.0f, p_1[t * params_3.c + c], ids[t] == i32(v));
    if ((t & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((t & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p3[v * params_3.c + c] = total + (long_run + run);
}

struct Params_3 {
  v: u32,
  c: u32,
}

@group(0) @binding(0) var<storage, read> p2_1: array<f32>;
@group(0) @binding(1) var<storage, read> p3_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_w: array<f32>;
@group(0) @binding(3) var<uniform> params_4: Params_3;

@compute @workgroup_size(64)
fn tied_embedding_vjp_d_w(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_4.v * params_4.c) {
    return;
  }
  let c = point % params_4.c;
  let v = point / params_4.c;
  d_w[v * params_4.c + c] = p2_1[v * params_4.c + c] + p3_1[v * params_4.c + c];
}
