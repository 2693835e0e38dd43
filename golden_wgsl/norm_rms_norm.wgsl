// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/norm.py:rms_norm
// dialect: naga
// bindings: x read, gain read, y read_write, params uniform
// barriers: 6
// shared bytes: 1024

struct Params {
  eps: f32,
  rows: u32,
  cols: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> gain: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> group_scratch_f32: array<f32, 256>;

fn group_sum_f32(value: f32, index: u32) -> f32 {
  group_scratch_f32[index] = value;
  workgroupBarrier();
  if (index < 64u) {
    group_scratch_f32[index] = group_scratch_f32[index] + group_scratch_f32[index + 128u] + (group_scratch_f32[index + 64u] + group_scratch_f32[index + 192u]);
  }
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

@compute @workgroup_size(256)
fn rms_norm(
  @builtin(local_invocation_id) local_invocation_id: vec3u,
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let row = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (row >= params.rows) {
    return;
  }
  var total = 0.0f;
  for (var c = local_invocation_id.x; c < params.cols; c += 256u) {
    total = total + x[row * params.cols + c] * x[row * params.cols + c];
  }
  let group_sum_f32_value = group_sum_f32(total, local_invocation_index);
  let scale = inverseSqrt(group_sum_f32_value / f32(params.cols) + params.eps);
  for (var c = local_invocation_id.x; c < params.cols; c += 256u) {
    y[row * params.cols + c] = x[row * params.cols + c] * scale * gain[c];
  }
}
