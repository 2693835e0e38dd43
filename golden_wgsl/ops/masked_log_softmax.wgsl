// shaderdsl golden, format 1
// op: shaderdsl.ops:masked_log_softmax
// dialect: naga
//
//   given x[..., i, j], mask[..., i, j]: i32, fill
//   z[..., i, j] = where(mask[..., i, j] != 0, x[..., i, j], -1e+30)
//   m[..., i] = max(j) z[..., i, j]
//   s[..., i] = sum(j) where(mask[..., i, j] != 0, exp(z[..., i, j] - m[..., i]), 0)
//   y[..., i, j] = where(mask[..., i, j] != 0, x[..., i, j] - m[..., i] - log(s[..., i]), fill)
//
// masked_log_softmax_z: mask read, x read, z read_write, params uniform; barriers 0, shared bytes 0
// masked_log_softmax_m: z read, m read_write, params uniform; barriers 0, shared bytes 0
// masked_log_softmax_s: mask read, z read, m read, s read_write, params uniform; barriers 0, shared bytes 0
// masked_log_softmax_y: mask read, x read, m read, s read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  lead_0: u32,
  i: u32,
  j: u32,
  mask_0: u32,
  x_0: u32,
}

@group(0) @binding(0) var<storage, read> mask: array<i32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> z: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn masked_log_softmax_z(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.lead_0 * params.i * params.j) {
    return;
  }
  let j = point % params.j;
  let rest = point / params.j;
  let i = rest % params.i;
  let at_0 = rest / params.i;
  z[(at_0 * params.i + i) * params.j + j] = select(-1e30f, x[(min(at_0, params.x_0 - 1u) * params.i + i) * params.j + j], mask[(min(at_0, params.mask_0 - 1u) * params.i + i) * params.j + j] != 0i);
}

struct Params_1 {
  lead_0: u32,
  i: u32,
  j: u32,
}

@group(0) @binding(0) var<storage, read> z_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> m: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn masked_log_softmax_m(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.lead_0 * params_1.i) {
    return;
  }
  let i = point % params_1.i;
  let at_0 = point / params_1.i;
  var best = 0.0f;
  for (var j = 0u; j < params_1.j; j += 1u) {
    let z_value = z_1[(at_0 * params_1.i + i) * params_1.j + j];
    best = select(max(best, z_value), z_value, j == 0u);
  }
  m[at_0 * params_1.i + i] = best;
}

struct Params_2 {
  lead_0: u32,
  i: u32,
  j: u32,
  mask_0: u32,
  lead_0_2: u32,
}

@group(0) @binding(1) var<storage, read> z_2: array<f32>;
@group(0) @binding(2) var<storage, read> m_1: array<f32>;
@group(0) @binding(3) var<storage, read_write> s: array<f32>;
@group(0) @binding(4) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn masked_log_softmax_s(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.lead_0 * params_2.i) {
    return;
  }
  let i = point % params_2.i;
  let at_0 = point / params_2.i;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var j = 0u; j < params_2.j; j += 1u) {
    run = run + select(0.0f, exp(z_2[(min(at_0, params_2.lead_0_2 - 1u) * params_2.i + i) * params_2.j + j] - m_1[min(at_0, params_2.lead_0_2 - 1u) * params_2.i + i]), mask[(min(at_0, params_2.mask_0 - 1u) * params_2.i + i) * params_2.j + j] != 0i);
    if ((j & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((j & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  s[at_0 * params_2.i + i] = total + (long_run + run);
}

struct Params_3 {
  fill: f32,
  lead_0: u32,
  i: u32,
  j: u32,
  mask_0: u32,
  x_0: u32,
  lead_0_2: u32,
  lead_0_3: u32,
}

@group(0) @binding(3) var<storage, read> s_1: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<f32>;
@group(0) @binding(5) var<uniform> params_3: Params_3;

@compute @workgroup_size(64)
fn masked_log_softmax_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.lead_0 * params_3.i * params_3.j) {
    return;
  }
  let j = point % params_3.j;
  let rest = point / params_3.j;
  let i = rest % params_3.i;
  let at_0 = rest / params_3.i;
  y[(at_0 * params_3.i + i) * params_3.j + j] = select(params_3.fill, x[(min(at_0, params_3.x_0 - 1u) * params_3.i + i) * params_3.j + j] - m_1[min(at_0, params_3.lead_0_2 - 1u) * params_3.i + i] - log(s_1[min(at_0, params_3.lead_0_3 - 1u) * params_3.i + i]), mask[(min(at_0, params_3.mask_0 - 1u) * params_3.i + i) * params_3.j + j] != 0i);
}
