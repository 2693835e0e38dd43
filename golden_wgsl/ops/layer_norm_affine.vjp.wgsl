// shaderdsl golden, format 1
// op: shaderdsl.ops:layer_norm_affine.vjp
// dialect: naga
//
//   given x[b, i], g[i], b[i], eps, d_y[b, i], mu[b], r[b]
//   c[b, i] = x[b, i] - mu[b]
//   p[b] = sum(i) c[b, i] * g[i] * d_y[b, i]
//   p2[b] = sum(i) g[i] * d_y[b, i]
//   d_x[b, i] = r[b] * (g[i] * d_y[b, i] - c[b, i] * r[b] ** 2 * p[b] / size(i) - p2[b] / size(i))
//   d_g[i] = sum(b) c[b, i] * r[b] * d_y[b, i]
//   d_b[i] = sum(b) d_y[b, i]
//   out(d_x, d_g, d_b)
//
// layer_norm_affine_vjp_c: x read, mu read, c read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_affine_vjp_p: c read, g read, d_y read, p read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_affine_vjp_p2: g read, d_y read, p2 read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_affine_vjp_d_x: r read, g read, d_y read, c read, p read, p2 read, d_x read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_affine_vjp_d_g: c read, r read, d_y read, d_g read_write, params uniform; barriers 0, shared bytes 0
// layer_norm_affine_vjp_d_b: d_y read, d_b read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> mu: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn layer_norm_affine_vjp_c(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.b * params.i) {
    return;
  }
  let i = point % params.i;
  let b = point / params.i;
  c[b * params.i + i] = x[b * params.i + i] - mu[b];
}

@group(0) @binding(0) var<storage, read> c_1: array<f32>;
@group(0) @binding(1) var<storage, read> g: array<f32>;
@group(0) @binding(2) var<storage, read> d_y: array<f32>;
@group(0) @binding(3) var<storage, read_write> p: array<f32>;
@group(0) @binding(4) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn layer_norm_affine_vjp_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params_1.b) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var i = 0u; i < params_1.i; i += 1u) {
    run = run + c_1[b * params_1.i + i] * g[i] * d_y[b * params_1.i + i];
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[b] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> g_1: array<f32>;
@group(0) @binding(1) var<storage, read> d_y_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> p2: array<f32>;

@compute @workgroup_size(64)
fn layer_norm_affine_vjp_p2(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let b = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (b >= params.b) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var i = 0u; i < params.i; i += 1u) {
    run = run + g_1[i] * d_y_1[b * params.i + i];
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p2[b] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> r: array<f32>;
@group(0) @binding(3) var<storage, read> c_2: array<f32>;
@group(0) @binding(4) var<storage, read> p_1: array<f32>;
@group(0) @binding(5) var<storage, read> p2_1: array<f32>;
@group(0) @binding(6) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(7) var<uniform> params_2: Params;

@compute @workgroup_size(64)
fn layer_norm_affine_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.b * params_2.i) {
    return;
  }
  let i = point % params_2.i;
  let b = point / params_2.i;
  let r_value = r[b];
  d_x[b * params_2.i + i] = r_value * (g[i] * d_y[b * params_2.i + i] - c_2[b * params_2.i + i] * (r_value * r_value) * p_1[b] / f32(params_2.i) - p2_1[b] / f32(params_2.i));
}

struct Params_1 {
  i: u32,
  b: u32,
}

@group(0) @binding(1) var<storage, read> r_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> d_g: array<f32>;
@group(0) @binding(4) var<uniform> params_3: Params_1;

@compute @workgroup_size(64)
fn layer_norm_affine_vjp_d_g(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params_3.i) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var b = 0u; b < params_3.b; b += 1u) {
    run = run + c_1[b * params_3.i + i] * r_1[b] * d_y[b * params_3.i + i];
    if ((b & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((b & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_g[i] = total + (long_run + run);
}

@group(0) @binding(0) var<storage, read> d_y_2: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_b: array<f32>;
@group(0) @binding(2) var<uniform> params_4: Params_1;

@compute @workgroup_size(64)
fn layer_norm_affine_vjp_d_b(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params_4.i) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var b = 0u; b < params_4.b; b += 1u) {
    run = run + d_y_2[b * params_4.i + i];
    if ((b & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((b & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_b[i] = total + (long_run + run);
}
