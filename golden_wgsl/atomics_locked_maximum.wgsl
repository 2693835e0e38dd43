// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/atomics.py:locked_maximum
// dialect: naga
// bindings: x read, best read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read_write> best: array<atomic<i32>>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(32)
fn locked_maximum(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 32u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  loop {
    let old = atomicLoad(&best[0u]);
    if (old >= x[i]) {
      break;
    }
    let result = atomicCompareExchangeWeak(&best[0u], old, x[i]);
    if (result.exchanged) {
      break;
    }
  }
}
