// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/control.py:countdown
// dialect: naga
// bindings: x read, y read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read_write> y: array<i32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn countdown(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  var total = 0i;
  let x_value = x[i];
  for (var j = x_value; j > (-3i); j -= 2i) {
    if (j == 1i) {
      continue;
    }
    for (var m = 0i; m < j; m += 1i) {
      if (m > 3i) {
        break;
      }
      total = total + m;
    }
    total = total - j;
  }
  y[i] = total;
}
