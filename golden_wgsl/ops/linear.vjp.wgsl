// shaderdsl golden, format 1
// op: shaderdsl.ops:linear.vjp
// dialect: naga
//
//   given x[b, i], w[o, i], d_y[b, o]
//   d_x[b, i] = sum(o) w[o, i] * d_y[b, o]
//   d_w[o, i] = sum(b) x[b, i] * d_y[b, o]
//   out(d_x, d_w)
//
// linear_vjp_d_x: w read, d_y read, d_x read_write, params uniform; barriers 0, shared bytes 0
// linear_vjp_d_w: x read, d_y read, d_w read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  i: u32,
  o: u32,
}

@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn linear_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.b * params.i) {
    return;
  }
  let i = point % params.i;
  let b = point / params.i;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var o = 0u; o < params.o; o += 1u) {
    run = run + w[o * params.i + i] * d_y[b * params.o + o];
    if ((o & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((o & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_x[b * params.i + i] = total + (long_run + run);
}

struct Params_1 {
  o: u32,
  i: u32,
  b: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_w: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn linear_vjp_d_w(
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
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var b = 0u; b < params_1.b; b += 1u) {
    run = run + x[b * params_1.i + i] * d_y[b * params_1.o + o];
    if ((b & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((b & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_w[o * params_1.i + i] = total + (long_run + run);
}
