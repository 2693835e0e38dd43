// shaderdsl golden, format 1
// op: shaderdsl.ops:linear_recurrence
// dialect: naga
//
//   given a[b, t], u[b, t]
//   h[b, t] = scan(t) h[b, t - 1] * a[b, t] + u[b, t]
//
// linear_recurrence_h: a read, u read, h read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  t: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> u: array<f32>;
@group(0) @binding(2) var<storage, read_write> h: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn linear_recurrence_h(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  var h_now = 0.0f;
  for (var t = 0u; t < params.t; t += 1u) {
    let t_1 = h_now * a[b * params.t + t] + u[b * params.t + t];
    h_now = t_1;
    h[b * params.t + t] = t_1;
  }
}
