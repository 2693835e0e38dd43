// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/memory.py:sorted_window
// dialect: naga
// bindings: x read, y read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn sorted_window(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  var window: array<f32, 4>;
  for (var j = 0u; j < 4u; j += 1u) {
    let value = x[i * 4u + j];
    var place = j;
    loop {
      if (place == 0u) {
        break;
      }
      let before = window[place - 1u];
      if (before <= value) {
        break;
      }
      window[place] = before;
      place = place - 1u;
    }
    window[place] = value;
  }
  for (var j = 0u; j < 4u; j += 1u) {
    y[i * 4u + j] = window[j];
  }
}
