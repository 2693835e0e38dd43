// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/norm.py:softmax
// dialect: naga
// bindings: x read, y read_write, params uniform
// barriers: 10
// shared bytes: 256

struct Params {
  rows: u32,
  cols: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> group_scratch_f32: array<f32, 64>;

fn group_max_f32(value: f32, index: u32) -> f32 {
  group_scratch_f32[index] = value;
  workgroupBarrier();
  if (index < 16u) {
    group_scratch_f32[index] = max(max(group_scratch_f32[index], group_scratch_f32[index + 32u]), max(group_scratch_f32[index + 16u], group_scratch_f32[index + 48u]));
  }
  workgroupBarrier();
  if (index < 4u) {
    group_scratch_f32[index] = max(max(group_scratch_f32[index], group_scratch_f32[index + 8u]), max(group_scratch_f32[index + 4u], group_scratch_f32[index + 12u]));
  }
  workgroupBarrier();
  if (index < 1u) {
    group_scratch_f32[index] = max(max(group_scratch_f32[index], group_scratch_f32[index + 2u]), max(group_scratch_f32[index + 1u], group_scratch_f32[index + 3u]));
  }
  workgroupBarrier();
  let result = workgroupUniformLoad(&group_scratch_f32[0u]);
  return result;
}

fn group_sum_f32(value: f32, index: u32) -> f32 {
  group_scratch_f32[index] = value;
  workgroupBarrier();
  if (index < 16u) {
    group_scratch_f32[index] = group_scratch_f32[index] + group_scratch_f32[index + 32u] + (group_scratch_f32[index + 16u] + group_scratch_f32[index + 48u]);
  }
  workgroupBarrier();
  if (index < 4u) {
    group_scratch_f32[index] = group_scratch_f32[index] + group_scratch_f32[index + 8u] + (group_scratch_f32[index + 4u] + group_scratch_f32[index + 12u]);
  }
  workgroupBarrier();
  if (index < 1u) {
    group_scratch_f32[index] = group_scratch_f32[index] + group_scratch_f32[index + 2u] + (group_scratch_f32[index + 1u] + group_scratch_f32[index + 3u]);
  }
  workgroupBarrier();
  let result = workgroupUniformLoad(&group_scratch_f32[0u]);
  return result;
}

@compute @workgroup_size(64)
fn softmax(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let row = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (row >= params.rows) {
    return;
  }
  var best = -3.4028234e38f;
  for (var c = local_invocation_index; c < params.cols; c += 64u) {
    best = max(best, x[row * params.cols + c]);
  }
  let peak = group_max_f32(best, local_invocation_index);
  var total = 0.0f;
  for (var c = local_invocation_index; c < params.cols; c += 64u) {
    total = total + exp(x[row * params.cols + c] - peak);
  }
  let group_sum_f32_value = group_sum_f32(total, local_invocation_index);
  let inverse = 1.0f / group_sum_f32_value;
  for (var c = local_invocation_index; c < params.cols; c += 64u) {
    y[row * params.cols + c] = exp(x[row * params.cols + c] - peak) * inverse;
  }
}
