// shaderdsl golden, format 1
// op: shaderdsl.ops:cumulative_sum
// dialect: naga
//
//   given x[b, t]
//   y[b, t] = scan(t) y[b, t - 1] + x[b, t]
//
// cumulative_sum_y: x read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn cumulative_sum_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  var y_now = 0.0f;
  for (var t = 0u; t < params.t; t += 1u) {
    let t_1 = y_now + x[b * params.t + t];
    y_now = t_1;
    y[b * params.t + t] = t_1;
  }
}
