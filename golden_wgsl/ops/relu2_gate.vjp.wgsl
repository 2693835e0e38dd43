// shaderdsl golden, format 1
// op: shaderdsl.ops:relu2_gate.vjp
// dialect: naga
//
//   given g[b], u[b], d_h[b]
//   d_g[b] = 2 * u[b] * d_h[b] * relu(g[b])
//   d_u[b] = d_h[b] * relu(g[b]) ** 2
//   out(d_g, d_u)
//
// relu2_gate_vjp_d_g: u read, d_h read, g read, d_g read_write, params uniform; barriers 0, shared bytes 0
// relu2_gate_vjp_d_u: d_h read, g read, d_u read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
}

@group(0) @binding(0) var<storage, read> u: array<f32>;
@group(0) @binding(1) var<storage, read> d_h: array<f32>;
@group(0) @binding(2) var<storage, read> g: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_g: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(64)
fn relu2_gate_vjp_d_g(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  d_g[b] = 2.0f * u[b] * d_h[b] * max(g[b], 0.0f);
}

@group(0) @binding(0) var<storage, read> d_h_1: array<f32>;
@group(0) @binding(1) var<storage, read> g_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_u: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn relu2_gate_vjp_d_u(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params_1.b) {
    return;
  }
  let t = max(g_1[b], 0.0f);
  d_u[b] = d_h_1[b] * (t * t);
}
