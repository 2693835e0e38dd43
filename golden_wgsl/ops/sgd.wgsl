// shaderdsl golden, format 1
// op: shaderdsl.ops:sgd
// dialect: naga
//
//   given p[...], g[...], rate
//   p_next[...] = p[...] - rate * g[...]
//
// sgd_p_next: p read, g read, p_next read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  rate: f32,
  lead_0: u32,
  p_0: u32,
  g_0: u32,
}

@group(0) @binding(0) var<storage, read> p: array<f32>;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> p_next: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn sgd_p_next(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  p_next[at_0] = p[min(at_0, params.p_0 - 1u)] - params.rate * g[min(at_0, params.g_0 - 1u)];
}
