// shaderdsl golden, format 1
// op: shaderdsl.ops:adamw
// dialect: naga
//
//   given p[...], g[...], m[...], v[...], rate, beta1, beta2, eps, decay, debias1, debias2
//   m_next[...] = beta1 * m[...] + (1 - beta1) * g[...]
//   v_next[...] = beta2 * v[...] + (1 - beta2) * g[...] * g[...]
//   p_next[...] = p[...] * (1 - rate * decay) - rate * (m_next[...] / debias1) / (sqrt(v_next[...] / debias2) + eps)
//   out(p_next, m_next, v_next)
//
// adamw_m_next: m read, g read, m_next read_write, params uniform; barriers 0, shared bytes 0
// adamw_v_next: v read, g read, v_next read_write, params uniform; barriers 0, shared bytes 0
// adamw_p_next: p read, m_next read, v_next read, p_next read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  beta1: f32,
  lead_0: u32,
  m_0: u32,
  g_0: u32,
}

@group(0) @binding(0) var<storage, read> m: array<f32>;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read_write> m_next: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn adamw_m_next(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  m_next[at_0] = params.beta1 * m[min(at_0, params.m_0 - 1u)] + (1.0f - params.beta1) * g[min(at_0, params.g_0 - 1u)];
}

struct Params_1 {
  beta2: f32,
  lead_0: u32,
  v_0: u32,
  g_0: u32,
}

@group(0) @binding(0) var<storage, read> v: array<f32>;
@group(0) @binding(2) var<storage, read_write> v_next: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn adamw_v_next(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params_1.lead_0) {
    return;
  }
  let g_value = g[min(at_0, params_1.g_0 - 1u)];
  v_next[at_0] = params_1.beta2 * v[min(at_0, params_1.v_0 - 1u)] + (1.0f - params_1.beta2) * g_value * g_value;
}

struct Params_2 {
  rate: f32,
  decay: f32,
  debias1: f32,
  debias2: f32,
  eps: f32,
  lead_0: u32,
  p_0: u32,
  lead_0_2: u32,
  lead_0_3: u32,
}

@group(0) @binding(0) var<storage, read> p: array<f32>;
@group(0) @binding(1) var<storage, read> m_next_1: array<f32>;
@group(0) @binding(2) var<storage, read> v_next_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> p_next: array<f32>;
@group(0) @binding(4) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn adamw_p_next(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params_2.lead_0) {
    return;
  }
  p_next[at_0] = p[min(at_0, params_2.p_0 - 1u)] * (1.0f - params_2.rate * params_2.decay) - params_2.rate * (m_next_1[min(at_0, params_2.lead_0_2 - 1u)] / params_2.debias1) / (sqrt(v_next_1[min(at_0, params_2.lead_0_3 - 1u)] / params_2.debias2) + params_2.eps);
}
