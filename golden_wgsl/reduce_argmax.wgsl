// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/reduce.py:argmax
// dialect: naga
// bindings: x read, best read_write, where read_write, params uniform
// barriers: 1
// shared bytes: 256

struct Params {
  rows: u32,
  cols: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> best: array<f32>;
@group(0) @binding(2) var<storage, read_write> where_: array<u32>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> values: array<f32, 32>;
var<workgroup> columns: array<u32, 32>;

@compute @workgroup_size(32)
fn argmax(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let row = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (row >= params.rows) {
    return;
  }
  var value = -3.4028234e38f;
  var column = 4294967295u;
  for (var c = local_invocation_index; c < params.cols; c += 32u) {
    let candidate = x[row * params.cols + c];
    if (candidate > value) {
      value = candidate;
      column = c;
    }
  }
  values[local_invocation_index] = value;
  columns[local_invocation_index] = column;
  var stride = 16u;
  loop {
    workgroupBarrier();
    if (stride == 0u) {
      break;
    }
    if (local_invocation_index < stride) {
      let other = local_invocation_index + stride;
      let larger = values[other] > values[local_invocation_index];
      let tie = values[other] == values[local_invocation_index] && columns[other] < columns[local_invocation_index];
      if (larger || tie) {
        values[local_invocation_index] = values[other];
        columns[local_invocation_index] = columns[other];
      }
    }
    stride = stride >> 1u;
  }
  if (local_invocation_index == 0u) {
    best[row] = values[0u];
    where_[row] = columns[0u];
  }
}
