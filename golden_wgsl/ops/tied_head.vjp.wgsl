// shaderdsl golden, format 1
// op: shaderdsl.ops:tied_head.vjp
// dialect: naga
//
//   given x[t, c], w[v, c], b[v], d_logits[t, v]
//   d_x[t, c] = sum(v) w[v, c] * d_logits[t, v]
//   d_w[v, c] = sum(t) x[t, c] * d_logits[t, v]
//   d_b[v] = sum(t) d_logits[t, v]
//   out(d_x, d_w, d_b)
//
// tied_head_vjp_d_x: w read, d_logits read, d_x read_write, params uniform; barriers 0, shared bytes 0
// tied_head_vjp_d_w: x read, d_logits read, d_w read_write, params uniform; barriers 0, shared bytes 0
// tied_head_vjp_d_b: d_logits read, d_b read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  t: u32,
  c: u32,
  v: u32,
}

@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read> d_logits: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn tied_head_vjp_d_x(
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
  for (var v = 0u; v < params.v; v += 1u) {
    run = run + w[v * params.c + c] * d_logits[t * params.v + v];
    if ((v & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((v & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_x[t * params.c + c] = total + (long_run + run);
}

struct Params_1 {
  v: u32,
  c: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_w: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn tied_head_vjp_d_w(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.v * params_1.c) {
    return;
  }
  let c = point % params_1.c;
  let v = point / params_1.c;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var t = 0u; t < params_1.t; t += 1u) {
    run = run + x[t * params_1.c + c] * d_logits[t * params_1.v + v];
    if ((t & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((t & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_w[v * params_1.c + c] = total + (long_run + run);
}

struct Params_2 {
  v: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> d_logits_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_b: array<f32>;
@group(0) @binding(2) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn tied_head_vjp_d_b(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let v = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (v >= params_2.v) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var t = 0u; t < params_2.t; t += 1u) {
    run = run + d_logits_1[t * params_2.v + v];
    if ((t & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((t & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_b[v] = total + (long_run + run);
}
