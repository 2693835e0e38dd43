// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/collectives.py:totals
// dialect: naga
// bindings: x read, out read_write, params uniform
// barriers: 22
// shared bytes: 128

struct Params {
  rows: u32,
}

@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read_write> out: array<i32>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> group_scratch_i32: array<i32, 32>;

fn group_sum_i32(value: i32, index: u32) -> i32 {
  group_scratch_i32[index] = value;
  workgroupBarrier();
  if (index < 8u) {
    group_scratch_i32[index] = group_scratch_i32[index] + group_scratch_i32[index + 16u] + (group_scratch_i32[index + 8u] + group_scratch_i32[index + 24u]);
  }
  workgroupBarrier();
  if (index < 2u) {
    group_scratch_i32[index] = group_scratch_i32[index] + group_scratch_i32[index + 4u] + (group_scratch_i32[index + 2u] + group_scratch_i32[index + 6u]);
  }
  workgroupBarrier();
  if (index < 1u) {
    group_scratch_i32[index] = group_scratch_i32[index] + group_scratch_i32[index + 1u];
  }
  workgroupBarrier();
  let result = workgroupUniformLoad(&group_scratch_i32[0u]);
  return result;
}

fn group_max_i32(value: i32, index: u32) -> i32 {
  group_scratch_i32[index] = value;
  workgroupBarrier();
  if (index < 8u) {
    group_scratch_i32[index] = max(max(group_scratch_i32[index], group_scratch_i32[index + 16u]), max(group_scratch_i32[index + 8u], group_scratch_i32[index + 24u]));
  }
  workgroupBarrier();
  if (index < 2u) {
    group_scratch_i32[index] = max(max(group_scratch_i32[index], group_scratch_i32[index + 4u]), max(group_scratch_i32[index + 2u], group_scratch_i32[index + 6u]));
  }
  workgroupBarrier();
  if (index < 1u) {
    group_scratch_i32[index] = max(group_scratch_i32[index], group_scratch_i32[index + 1u]);
  }
  workgroupBarrier();
  let result = workgroupUniformLoad(&group_scratch_i32[0u]);
  return result;
}

fn group_min_i32(value: i32, index: u32) -> i32 {
  group_scratch_i32[index] = value;
  workgroupBarrier();
  if (index < 8u) {
    group_scratch_i32[index] = min(min(group_scratch_i32[index], group_scratch_i32[index + 16u]), min(group_scratch_i32[index + 8u], group_scratch_i32[index + 24u]));
  }
  workgroupBarrier();
  if (index < 2u) {
    group_scratch_i32[index] = min(min(group_scratch_i32[index], group_scratch_i32[index + 4u]), min(group_scratch_i32[index + 2u], group_scratch_i32[index + 6u]));
  }
  workgroupBarrier();
  if (index < 1u) {
    group_scratch_i32[index] = min(group_scratch_i32[index], group_scratch_i32[index + 1u]);
  }
  workgroupBarrier();
  let result = workgroupUniformLoad(&group_scratch_i32[0u]);
  return result;
}

fn group_inclusive_scan_i32(value: i32, index: u32) -> i32 {
  group_scratch_i32[index] = value;
  workgroupBarrier();
  var total = value;
  var stride = 1u;
  loop {
    let step_ = stride;
    if (step_ >= 32u) {
      break;
    }
    if (index >= step_) {
      total = group_scratch_i32[index - step_] + total;
    }
    workgroupBarrier();
    let own = total;
    group_scratch_i32[index] = own;
    workgroupBarrier();
    stride = step_ * 2u;
  }
  return total;
}

fn group_exclusive_scan_i32(value: i32, index: u32) -> i32 {
  group_scratch_i32[index] = value;
  workgroupBarrier();
  var total = value;
  var stride = 1u;
  loop {
    let step_ = stride;
    if (step_ >= 32u) {
      break;
    }
    if (index >= step_) {
      total = group_scratch_i32[index - step_] + total;
    }
    workgroupBarrier();
    let own = total;
    group_scratch_i32[index] = own;
    workgroupBarrier();
    stride = step_ * 2u;
  }
  if (index == 0u) {
    total = 0i;
  } else {
    total = group_scratch_i32[index - 1u];
  }
  workgroupBarrier();
  return total;
}

@compute @workgroup_size(32)
fn totals(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let row = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (row >= params.rows) {
    return;
  }
  let value = x[row * 32u + local_invocation_index];
  let group_sum_i32_value = group_sum_i32(value, local_invocation_index);
  out[(row * 32u + local_invocation_index) * 5u] = group_sum_i32_value;
  let group_max_i32_value = group_max_i32(value, local_invocation_index);
  out[(row * 32u + local_invocation_index) * 5u + 1u] = group_max_i32_value;
  let group_min_i32_value = group_min_i32(value, local_invocation_index);
  out[(row * 32u + local_invocation_index) * 5u + 2u] = group_min_i32_value;
  let group_inclusive_scan_i32_value = group_inclusive_scan_i32(value, local_invocation_index);
  out[(row * 32u + local_invocation_index) * 5u + 3u] = group_inclusive_scan_i32_value;
  let group_exclusive_scan_i32_value = group_exclusive_scan_i32(value, local_invocation_index);
  out[(row * 32u + local_invocation_index) * 5u + 4u] = group_exclusive_scan_i32_value;
}
