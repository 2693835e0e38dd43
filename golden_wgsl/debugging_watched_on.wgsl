// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/debugging.py:watched
// dialect: naga
// debug: yes
// bindings: x read, y read_write, debug_log read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<storage, read_write> debug_log: array<atomic<u32>>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(4)
fn watched(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(global_invocation_id) global_invocation_id: vec3u,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 4u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  if (!(x[i] >= 0.0f)) {
    let record = atomicAdd(&debug_log[0u], 4u);
    if (record <= 65532u) {
      atomicStore(&debug_log[record + 1u], 0u);
      atomicStore(&debug_log[record + 2u], global_invocation_id.x);
      atomicStore(&debug_log[record + 3u], global_invocation_id.y);
      atomicStore(&debug_log[record + 4u], global_invocation_id.z);
    }
  }
  y[i] = sqrt(x[i]);
  let y_value = y[i];
  let record = atomicAdd(&debug_log[0u], 6u);
  if (record <= 65530u) {
    atomicStore(&debug_log[record + 1u], 1u);
    atomicStore(&debug_log[record + 2u], global_invocation_id.x);
    atomicStore(&debug_log[record + 3u], global_invocation_id.y);
    atomicStore(&debug_log[record + 4u], global_invocation_id.z);
    atomicStore(&debug_log[record + 5u], i);
    atomicStore(&debug_log[record + 6u], bitcast<u32>(y_value));
  }
}
