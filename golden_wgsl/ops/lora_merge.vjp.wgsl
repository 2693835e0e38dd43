// shaderdsl golden, format 1
// op: shaderdsl.ops:lora_merge.vjp
// dialect: naga
//
//   given w[o, i], a[r, i], b[o, r], alpha, d_merged[o, i]
//   d_delta[o, i] = alpha * d_merged[o, i] / size(r)
//   d_w[o, i] = d_merged[o, i]
//   d_a[r, i] = sum(o) b[o, r] * d_delta[o, i]
//   d_b[o, r] = sum(i) a[r, i] * d_delta[o, i]
//   out(d_w, d_a, d_b)
//
// lora_merge_vjp_d_delta: d_merged read, d_delta read_write, params uniform; barriers 0, shared bytes 0
// lora_merge_vjp_d_w: d_merged read, d_w read_write, params uniform; barriers 0, shared bytes 0
// lora_merge_vjp_d_a: b read, d_delta read, d_a read_write, params uniform; barriers 0, shared bytes 0
// lora_merge_vjp_d_b: a read, d_delta read, d_b read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  alpha: f32,
  o: u32,
  i: u32,
  a_r: u32,
}

@group(0) @binding(0) var<storage, read> d_merged: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_delta: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn lora_merge_vjp_d_delta(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.o * params.i) {
    return;
  }
  let i = point % params.i;
  let o = point / params.i;
  d_delta[o * params.i + i] = params.alpha * d_merged[o * params.i + i] / f32(params.a_r);
}

struct Params_1 {
  o: u32,
  i: u32,
}

@group(0) @binding(1) var<storage, read_write> d_w: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn lora_merge_vjp_d_w(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.o * params_1.i) {
    return;
  }
  let i = point % params_1.i;
  let o = point / params_1.i;
  d_w[o * params_1.i + i] = d_merged[o * params_1.i + i];
}

struct Params_2 {
  r: u32,
  i: u32,
  o: u32,
}

@group(0) @binding(0) var<storage, read> b: array<f32>;
@group(0) @binding(1) var<storage, read> d_delta_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_a: array<f32>;
@group(0) @binding(3) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn lora_merge_vjp_d_a(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.r * params_2.i) {
    return;
  }
  let i = point % params_2.i;
  let r = point / params_2.i;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var o = 0u; o < params_2.o; o += 1u) {
    run = run + b[o * params_2.r + r] * d_delta_1[o * params_2.i + i];
    if ((o & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((o & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_a[r * params_2.i + i] = total + (long_run + run);
}

struct Params_3 {
  o: u32,
  r: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_b: array<f32>;
@group(0) @binding(3) var<uniform> params_3: Params_3;

@compute @workgroup_size(64)
fn lora_merge_vjp_d_b(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.o * params_3.r) {
    return;
  }
  let r = point % params_3.r;
  let o = point / params_3.r;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var i = 0u; i < params_3.i; i += 1u) {
    run = run + a[r * params_3.i + i] * d_delta_1[o * params_3.i + i];
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_b[o * params_3.r + r] = total + (long_run + run);
}
