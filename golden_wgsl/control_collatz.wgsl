// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/control.py:collatz
// dialect: naga
// bindings: start read, steps read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> start: array<u32>;
@group(0) @binding(1) var<storage, read_write> steps: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn collatz(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  var value = start[i];
  var count = 0u;
  loop {
    if (value <= 1u || count >= 500u) {
      break;
    }
    count = count + 1u;
    if (value % 2u == 0u) {
      value = value / 2u;
      continue;
    }
    value = 3u * value + 1u;
  }
  steps[i] = count;
}
