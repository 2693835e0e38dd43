// shaderdsl golden, format 1
// op: shaderdsl.ops:relu2_gate
// dialect: naga
//
//   given g[...], u[...]
//   h[...] = relu(g[...]) ** 2 * u[...]
//
// relu2_gate_h: g read, u read, h read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
  g_0: u32,
  u_0: u32,
}

@group(0) @binding(0) var<storage, read> g: array<f32>;
@group(0) @binding(1) var<storage, read> u: array<f32>;
@group(0) @binding(2) var<storage, read_write> h: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn relu2_gate_h(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  let t = max(g[min(at_0, params.g_0 - 1u)], 0.0f);
  h[at_0] = t * t * u[min(at_0, params.u_0 - 1u)];
}
