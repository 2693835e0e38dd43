// shaderdsl golden, format 1
// op: shaderdsl.ops:matmul_tt
// dialect: naga
//
//   given a[k, m], b[n, k]
//   c[m, n] = sum(k) a[k, m] * b[n, k]
//
// matmul_tt_c: a read, b read, c read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  m: u32,
  n: u32,
  k: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn matmul_tt_c(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.m * params.n) {
    return;
  }
  let n = point % params.n;
  let m = point / params.n;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var k = 0u; k < params.k; k += 1u) {
    run = run + a[k * params.m + m] * b[n * params.k + k];
    if ((k & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((k & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  c[m * params.n + n] = total + (long_run + run);
}
