// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/scan.py:row_scan
// dialect: naga
// bindings: x read, y read_write, params uniform
// barriers: 4
// shared bytes: 256

struct Params {
  rows: u32,
  cols: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> group_scratch_f32: array<f32, 64>;

fn group_inclusive_scan_f32(value: f32, index: u32) -> f32 {
  group_scratch_f32[index] = value;
  workgroupBarrier();
  var total = value;
  var stride = 1u;
  loop {
    let step_ = stride;
    if (step_ >= 64u) {
      break;
    }
    if (index >= step_) {
      total = group_scratch_f32[index - step_] + total;
    }
    workgroupBarrier();
    let own = total;
    group_scratch_f32[index] = own;
    workgroupBarrier();
    stride = step_ * 2u;
  }
  return total;
}

fn group_broadcast_f32(value: f32, index: u32, lane: u32) -> f32 {
  group_scratch_f32[index] = value;
  let result = workgroupUniformLoad(&group_scratch_f32[lane]);
  return result;
}

@compute @workgroup_size(64)
fn row_scan(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let row = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (row >= params.rows) {
    return;
  }
  var carried = 0.0f;
  for (var start = 0u; start < params.cols; start += 64u) {
    let c = start + local_invocation_index;
    var value = 0.0f;
    if (c < params.cols) {
      value = x[row * params.cols + c];
    }
    let group_inclusive_scan_f32_value = group_inclusive_scan_f32(value, local_invocation_index);
    let running = group_inclusive_scan_f32_value + carried;
    if (c < params.cols) {
      y[row * params.cols + c] = running;
    }
    let group_broadcast_f32_value = group_broadcast_f32(running, local_invocation_index, 63u);
    carried = group_broadcast_f32_value;
  }
}
