// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/integers.py:unsigned
// dialect: naga
// bindings: x read, y read, out read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read> y: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<u32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn unsigned(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  out[i * 4u] = x[i] / (y[i] | 1u);
  out[i * 4u + 1u] = x[i] % (y[i] | 1u);
  out[i * 4u + 2u] = max(x[i], y[i]) - min(x[i], y[i]);
  out[i * 4u + 3u] = x[i] * 2654435761u + 4294967295u;
}
