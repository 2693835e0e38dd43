// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/collectives.py:votes
// dialect: naga
// bindings: x read, flags read_write, chosen read_write, params uniform
// barriers: 13
// shared bytes: 160

struct Params {
  rows: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> flags: array<u32>;
@group(0) @binding(2) var<storage, read_write> chosen: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> group_scratch_bool: array<u32, 20>;
var<workgroup> group_scratch_f32: array<f32, 20>;

fn group_any(value: bool, index: u32) -> bool {
  group_scratch_bool[index] = u32(value);
  workgroupBarrier();
  var stride = 16u;
  loop {
    let step_ = stride;
    if (index < step_ && index + step_ < 20u) {
      group_scratch_bool[index] = u32(group_scratch_bool[index] != 0u || group_scratch_bool[index + step_] != 0u);
    }
    workgroupBarrier();
    if (step_ == 1u) {
      break;
    }
    stride = step_ / 2u;
  }
  let shared_value = workgroupUniformLoad(&group_scratch_bool[0u]);
  let result = shared_value != 0u;
  return result;
}

fn group_all(value: bool, index: u32) -> bool {
  group_scratch_bool[index] = u32(value);
  workgroupBarrier();
  var stride = 16u;
  loop {
    let step_ = stride;
    if (index < step_ && index + step_ < 20u) {
      group_scratch_bool[index] = u32(group_scratch_bool[index] != 0u && group_scratch_bool[index + step_] != 0u);
    }
    workgroupBarrier();
    if (step_ == 1u) {
      break;
    }
    stride = step_ / 2u;
  }
  let shared_value = workgroupUniformLoad(&group_scratch_bool[0u]);
  let result = shared_value != 0u;
  return result;
}

fn group_broadcast_f32(value: f32, index: u32, lane: u32) -> f32 {
  group_scratch_f32[index] = value;
  let result = workgroupUniformLoad(&group_scratch_f32[lane]);
  return result;
}

fn group_sum_f32(value: f32, index: u32) -> f32 {
  group_scratch_f32[index] = value;
  workgroupBarrier();
  var stride = 16u;
  loop {
    let step_ = stride;
    if (index < step_ && index + step_ < 20u) {
      group_scratch_f32[index] = group_scratch_f32[index] + group_scratch_f32[index + step_];
    }
    workgroupBarrier();
    if (step_ == 1u) {
      break;
    }
    stride = step_ / 2u;
  }
  let result = workgroupUniformLoad(&group_scratch_f32[0u]);
  return result;
}

@compute @workgroup_size(20)
fn votes(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let row = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (row >= params.rows) {
    return;
  }
  let value = x[row * 20u + local_invocation_index];
  let some = group_any((value > 2.0f), local_invocation_index);
  let every = group_all((value >= 0.0f), local_invocation_index);
  let none = group_all((value < 100.0f), local_invocation_index);
  flags[row * 20u + local_invocation_index] = u32(some) + u32(every) * 2u + u32(none) * 4u;
  let group_broadcast_f32_value = group_broadcast_f32(value, local_invocation_index, row % 20u);
  let group_sum_f32_value = group_sum_f32(value, local_invocation_index);
  chosen[row * 20u + local_invocation_index] = group_broadcast_f32_value + group_sum_f32_value;
}
