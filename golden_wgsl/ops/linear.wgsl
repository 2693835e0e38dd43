// shaderdsl golden, format 1
// op: shaderdsl.ops:linear
// dialect: naga
//
//   given x[..., i], w[o, i]
//   y[..., o] = sum(i) x[..., i] * w[o, i]
//
// linear_y: x read, w read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
  o: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn linear_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.lead_0 * params.o) {
    return;
  }
  let o = point % params.o;
  let at_0 = point / params.o;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var i = 0u; i < params.i; i += 1u) {
    run = run + x[at_0 * params.i + i] * w[o * params.i + i];
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  y[at_0 * params.o + o] = total + (long_run + run);
}
