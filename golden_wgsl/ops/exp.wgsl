// shaderdsl golden, format 1
// op: shaderdsl.ops:exp
// dialect: naga
//
//   given x[...]
//   y[...] = exp(x[...])
//
// exp_y: x read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn exp_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  y[at_0] = exp(x[at_0]);
}
