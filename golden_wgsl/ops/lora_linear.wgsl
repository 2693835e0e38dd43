// shaderdsl golden, format 1
// op: shaderdsl.ops:lora_linear
// dialect: naga
//
//   given x[m, i], w[o, i], a[r, i], b[o, r], alpha
//   base[m, o] = sum(i) x[m, i] * w[o, i]
//   h[m, r] = sum(i) x[m, i] * a[r, i]
//   up[m, o] = sum(r) h[m, r] * b[o, r]
//   y[m, o] = base[m, o] + alpha / size(r) * up[m, o]
//
// lora_linear_base: x read, w read, base read_write, params uniform; barriers 0, shared bytes 0
// lora_linear_h: x read, a read, h read_write, params uniform; barriers 0, shared bytes 0
// lora_linear_up: h read, b read, up read_write, params uniform; barriers 0, shared bytes 0
// lora_linear_y: base read, up read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  m: u32,
  o: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read_write> base: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn lora_linear_base(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.m * params.o) {
    return;
  }
  let o = point % params.o;
  let m = point / params.o;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var i = 0u; i < params.i; i += 1u) {
    run = run + x[m * params.i + i] * w[o * params.i + i];
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  base[m * params.o + o] = total + (long_run + run);
}

struct Params_1 {
  m: u32,
  r: u32,
  i: u32,
}

@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> h: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn lora_linear_h(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.m * params_1.r) {
    return;
  }
  let r = point % params_1.r;
  let m = point / params_1.r;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var i = 0u; i < params_1.i; i += 1u) {
    run = run + x[m * params_1.i + i] * a[r * params_1.i + i];
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  h[m * params_1.r + r] = total + (long_run + run);
}

struct Params_2 {
  m: u32,
  o: u32,
  r: u32,
}

@group(0) @binding(0) var<storage, read> h_1: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> up: array<f32>;
@group(0) @binding(3) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn lora_linear_up(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.m * params_2.o) {
    return;
  }
  let o = point % params_2.o;
  let m = point / params_2.o;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var r = 0u; r < params_2.r; r += 1u) {
    run = run + h_1[m * params_2.r + r] * b[o * params_2.r + r];
    if ((r & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((r & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  up[m * params_2.o + o] = total + (long_run + run);
}

struct Params_3 {
  alpha: f32,
  m: u32,
  o: u32,
  r: u32,
}

@group(0) @binding(0) var<storage, read> base_1: array<f32>;
@group(0) @binding(1) var<storage, read> up_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params_3: Params_3;

@compute @workgroup_size(64)
fn lora_linear_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.m * params_3.o) {
    return;
  }
  let o = point % params_3.o;
  let m = point / params_3.o;
  y[m * params_3.o + o] = base_1[m * params_3.o + o] + params_3.alpha / f32(params_3.r) * up_1[m * params_3.o + o];
}
