// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/domains.py:group_3
// dialect: naga
// bindings: y read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  extra: u32,
  a: u32,
  b: u32,
  c: u32,
}

@group(0) @binding(0) var<storage, read_write> y: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(4)
fn group_3(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let t = group / (params.c / 4u);
  let a = t / (params.b + params.extra - 1u);
  let b = t % (params.b + params.extra - 1u);
  let c = group % (params.c / 4u);
  if (a >= params.a) {
    return;
  }
  y[(a * params.b + b) * params.c + (c * 4u + local_invocation_index)] = (a * 100u + b) * 100u + c;
}
