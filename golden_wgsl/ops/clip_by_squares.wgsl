// shaderdsl golden, format 1
// op: shaderdsl.ops:clip_by_squares
// dialect: naga
//
//   given g[...], squares[n], limit
//   total = sum(n) squares[n]
//   norm = sqrt(total)
//   y[...] = g[...] * where(limit > 0, limit / max(norm, limit), 1)
//   out(y, norm)
//
// clip_by_squares_total: squares read, total read_write, params uniform; barriers 0, shared bytes 0
// clip_by_squares_norm: total read, norm read_write; barriers 0, shared bytes 0
// clip_by_squares_y: g read, norm read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> squares: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn clip_by_squares_total(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= 1u) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total_2 = 0.0f;
  for (var n = 0u; n < params.n; n += 1u) {
    run = run + squares[n];
    if ((n & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((n & 255u) == 255u) {
        total_2 = total_2 + long_run;
        long_run = 0.0f;
      }
    }
  }
  total[0u] = total_2 + (long_run + run);
}

@group(0) @binding(0) var<storage, read> total_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> norm: array<f32>;

@compute @workgroup_size(64)
fn clip_by_squares_norm(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= 1u) {
    return;
  }
  norm[0u] = sqrt(total_1[0u]);
}

struct Params_1 {
  limit: f32,
  lead_0: u32,
}

@group(0) @binding(0) var<storage, read> g: array<f32>;
@group(0) @binding(1) var<storage, read> norm_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn clip_by_squares_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let at_0 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (at_0 >= params_1.lead_0) {
    return;
  }
  y[at_0] = g[at_0] * select(1.0f, params_1.limit / max(norm_1[0u], params_1.limit), params_1.limit > 0.0f);
}
