// shaderdsl golden, format 1
// op: shaderdsl.ops:lora_merge
// dialect: naga
//
//   given w[o, i], a[r, i], b[o, r], alpha
//   delta[o, i] = sum(r) b[o, r] * a[r, i]
//   merged[o, i] = w[o, i] + alpha / size(r) * delta[o, i]
//
// lora_merge_delta: b read, a read, delta read_write, params uniform; barriers 0, shared bytes 0
// lora_merge_merged: w read, delta read, merged read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  o: u32,
  i: u32,
  r: u32,
}

@group(0) @binding(0) var<storage, read> b: array<f32>;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> delta: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn lora_merge_delta(
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
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var r = 0u; r < params.r; r += 1u) {
    run = run + b[o * params.r + r] * a[r * params.i + i];
    if ((r & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((r & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  delta[o * params.i + i] = total + (long_run + run);
}

struct Params_1 {
  alpha: f32,
  o: u32,
  i: u32,
  r: u32,
}

@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read> delta_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> merged: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn lora_merge_merged(
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
  merged[o * params_1.i + i] = w[o * params_1.i + i] + params_1.alpha / f32(params_1.r) * delta_1[o * params_1.i + i];
}
