// shaderdsl golden, format 1
// op: shaderdsl.ops:batched_matmul_nt
// dialect: naga
//
//   given x[b, m, k], w[b, n, k]
//   c[b, m, n] = sum(k) x[b, m, k] * w[b, n, k]
//
// batched_matmul_nt_c: x read, w read, c read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  b: u32,
  m: u32,
  n: u32,
  k: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn batched_matmul_nt_c(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.b * params.m * params.n) {
    return;
  }
  let n = point % params.n;
  let rest = point / params.n;
  let m = rest % params.m;
  let b = rest / params.m;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var k = 0u; k < params.k; k += 1u) {
    run = run + x[(b * params.m + m) * params.k + k] * w[(b * params.n + n) * params.k + k];
    if ((k & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((k & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  c[(b * params.m + m) * params.n + n] = total + (long_run + run);
}
