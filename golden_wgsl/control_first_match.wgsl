// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/control.py:first_match
// dialect: naga
// bindings: x read, found read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  key: u32,
  rows: u32,
  cols: u32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> found: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn first_match(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let row = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (row >= params.rows) {
    return;
  }
  found[row] = 4294967295u;
  for (var c = 0u; c < params.cols; c += 1u) {
    if (x[row * params.cols + c] == params.key) {
      found[row] = c;
      return;
    }
    if (x[row * params.cols + c] == 0u) {
      break;
    }
  }
  found[row] = params.cols;
}
