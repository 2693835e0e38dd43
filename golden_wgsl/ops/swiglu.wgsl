// shaderdsl golden, format 1
// op: shaderdsl.ops:swiglu
// dialect: naga
//
//   given g[...], u[...]
//   h[...] = silu(g[...]) * u[...]
//
// swiglu_h: g read, u read, h read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
  g_0: u32,
  u_0: u32,
}

@group(0) @binding(0) var<storage, read> g: array<f32>;
@group(0) @binding(1) var<storage, read> u: array<f32>;
@group(0) @binding(2) var<storage, read_write> h: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

fn silu_series(x: f32) -> f32 {
  let t = 0.5f * abs(x);
  let t_1 = exp(-t);
  let t_2 = x < 0.0f;
  return select(select(x, x * t_1, t_2) / select(1.0f + t_1 * t_1, exp(t) + t_1, t_2), x, (bitcast<u32>(x) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn swiglu_h(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params.lead_0) {
    return;
  }
  let silu_series_value = silu_series(g[min(at_0, params.g_0 - 1u)]);
  h[at_0] = silu_series_value * u[min(at_0, params.u_0 - 1u)];
}
