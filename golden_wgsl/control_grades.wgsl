// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/control.py:grades
// dialect: naga
// bindings: x read, grade read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> grade: array<i32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn grades(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let value = x[i];
  if (value < 0.0f) {
    return;
  }
  if (value < 1.0f) {
    grade[i] = 1i;
  } else if (value < 2.0f) {
    grade[i] = 2i;
  } else if (value >= 8.0f && value != 9.0f) {
    if (value > 100.0f) {
      grade[i] = 100i;
    } else {
      grade[i] = 8i;
    }
  } else {
    grade[i] = 3i;
  }
}
