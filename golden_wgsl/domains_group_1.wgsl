// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/domains.py:group_1
// dialect: naga
// bindings: y read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(4)
fn group_1(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (i >= params.n) {
    return;
  }
  y[i * 4u + local_invocation_index] = i;
}
