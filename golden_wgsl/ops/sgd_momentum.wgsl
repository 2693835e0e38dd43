// shaderdsl golden, format 1
// op: shaderdsl.ops:sgd_momentum
// dialect: naga
//
//   given p[...], g[...], v[...], rate, momentum
//   v_next[...] = momentum * v[...] - rate * g[...]
//   p_next[...] = p[...] + v_next[...]
//   out(p_next, v_next)
//
// sgd_momentum_v_next: v read, g read, v_next read_write, params uniform; barriers 0, shared bytes 0
// sgd_momentum_p_next: p read, v_next read, p_next read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  momentum: f32,
  rate: f32,
  lead_0: u32,
  v_0: u32,
  g_0: u32,
}

@group(0) @binding(0) var<storage, read> v: array<f32>;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> v_next: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn sgd_momentum_v_next(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  v_next[at_0] = params.momentum * v[min(at_0, params.v_0 - 1u)] - params.rate * g[min(at_0, params.g_0 - 1u)];
}

struct Params_1 {
  lead_0: u32,
  p_0: u32,
  lead_0_2: u32,
}

@group(0) @binding(0) var<storage, read> p: array<f32>;
@group(0) @binding(1) var<storage, read> v_next_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> p_next: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn sgd_momentum_p_next(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params_1.lead_0) {
    return;
  }
  p_next[at_0] = p[min(at_0, params_1.p_0 - 1u)] + v_next_1[min(at_0, params_1.lead_0_2 - 1u)];
}
