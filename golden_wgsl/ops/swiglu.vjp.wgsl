// shaderdsl golden, format 1
// op: shaderdsl.ops:swiglu.vjp
// dialect: naga
//
//   given g[b], u[b], d_h[b]
//   d_g[b] = u[b] * d_h[b] * silu_slope(g[b])
//   d_u[b] = d_h[b] * silu(g[b])
//   out(d_g, d_u)
//
// swiglu_vjp_d_g: u read, d_h read, g read, d_g read_write, params uniform; barriers 0, shared bytes 0
// swiglu_vjp_d_u: d_h read, g read, d_u read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
}

@group(0) @binding(0) var<storage, read> u: array<f32>;
@group(0) @binding(1) var<storage, read> d_h: array<f32>;
@group(0) @binding(2) var<storage, read> g: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_g: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

fn silu_slope(x: f32) -> f32 {
  let t = 0.5f * abs(x);
  let t_1 = exp(-t);
  let t_2 = 1.0f + t_1 * t_1;
  let t_3 = x / t_2;
  let t_4 = x < 0.0f;
  return select(select(1.0f + t_3 * t_1 * t_1, (1.0f + t_3) * t_1, t_4) / select(t_2, exp(t) + t_1, t_4), x, (bitcast<u32>(x) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn swiglu_vjp_d_g(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  let silu_slope_value = silu_slope(g[b]);
  d_g[b] = u[b] * d_h[b] * silu_slope_value;
}

@group(0) @binding(0) var<storage, read> d_h_1: array<f32>;
@group(0) @binding(1) var<storage, read> g_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_u: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params;

fn silu_series(x: f32) -> f32 {
  let t = 0.5f * abs(x);
  let t_1 = exp(-t);
  let t_2 = x < 0.0f;
  return select(select(x, x * t_1, t_2) / select(1.0f + t_1 * t_1, exp(t) + t_1, t_2), x, (bitcast<u32>(x) & 2147483647u) > 2139095040u);
}

@compute @workgroup_size(64)
fn swiglu_vjp_d_u(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params_1.b) {
    return;
  }
  let silu_series_value = silu_series(g_1[b]);
  d_u[b] = d_h_1[b] * silu_series_value;
}
