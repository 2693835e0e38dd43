// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/names.py:shadows
// dialect: naga
// bindings: params read, abs read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> params: array<f32>;
@group(0) @binding(1) var<storage, read_write> abs_: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn shadows(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let workgroup_id_1 = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (workgroup_id_1 >= params_1.n) {
    return;
  }
  var min_ = 0.0f;
  for (var i = 0u; i < 2u; i += 1u) {
    let x = params[workgroup_id_1] + f32(i);
    min_ = min_ + x * x;
  }
  for (var i = 0u; i < 3u; i += 1u) {
    let x = params[workgroup_id_1] - f32(i);
    min_ = min_ + x * x;
  }
  abs_[workgroup_id_1] = abs(min_);
}
