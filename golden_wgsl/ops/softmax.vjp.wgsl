// shaderdsl golden, format 1
// op: shaderdsl.ops:softmax.vjp
// dialect: naga
//
//   given x[b, j], d_y[b, j], y[b, j]
//   p[b] = sum(j) y[b, j] * d_y[b, j]
//   d_x[b, j] = y[b, j] * (d_y[b, j] - p[b])
//
// softmax_vjp_p: y read, d_y read, p read_write, params uniform; barriers 0, shared bytes 0
// softmax_vjp_d_x: y read, d_y read, p read, d_x read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  j: u32,
}

@group(0) @binding(0) var<storage, read> y: array<f32>;
@group(0) @binding(1) var<storage, read> d_y: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn softmax_vjp_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var j = 0u; j < params.j; j += 1u) {
    run = run + y[b * params.j + j] * d_y[b * params.j + j];
    if ((j & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((j & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[b] = total + (long_run + run);
}

@group(0) @binding(2) var<storage, read> p_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(4) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn softmax_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.b * params_1.j) {
    return;
  }
  let j = point % params_1.j;
  let b = point / params_1.j;
  d_x[b * params_1.j + j] = y[b * params_1.j + j] * (d_y[b * params_1.j + j] - p_1[b]);
}
