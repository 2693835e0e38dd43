// shaderdsl golden, format 1
// op: shaderdsl.ops:tied_head
// dialect: naga
//
//   given x[t, c], w[v, c], b[v]
//   p[t, v] = sum(c) x[t, c] * w[v, c]
//   logits[t, v] = p[t, v] + b[v]
//
// tied_head_p: x read, w read, p read_write, params uniform; barriers 0, shared bytes 0
// tied_head_logits: p read, b read, logits read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  t: u32,
  v: u32,
  c: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn tied_head_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.t * params.v) {
    return;
  }
  let v = point % params.v;
  let t = point / params.v;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var c = 0u; c < params.c; c += 1u) {
    run = run + x[t * params.c + c] * w[v * params.c + c];
    if ((c & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((c & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[t * params.v + v] = total + (long_run + run);
}

struct Params_1 {
  t: u32,
  v: u32,
}

@group(0) @binding(0) var<storage, read> p_1: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> logits: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn tied_head_logits(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.t * params_1.v) {
    return;
  }
  let v = point % params_1.v;
  let t = point / params_1.v;
  logits[t * params_1.v + v] = p_1[t * params_1.v + v] + b[v];
}
