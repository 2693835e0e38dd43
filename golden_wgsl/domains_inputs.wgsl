// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/domains.py:inputs
// dialect: naga
// bindings: out read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read_write> out: array<vec4u>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(2, 2, 2)
fn inputs(
  @builtin(local_invocation_id) local_invocation_id: vec3u,
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(global_invocation_id) global_invocation_id: vec3u,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let group = (workgroup_id.z * num_workgroups.y + workgroup_id.y) * num_workgroups.x + workgroup_id.x;
  if (group < params.n) {
    out[group * 8u + local_invocation_index] = vec4u(global_invocation_id, local_invocation_id.x + local_invocation_id.y * 2u + local_invocation_id.z * 4u);
  }
}
