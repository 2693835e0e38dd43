// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/memory.py:agreed
// dialect: naga
// bindings: x read, y read_write, params uniform
// barriers: 4
// shared bytes: 32

struct Params {
  rows: u32,
}

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> bound: array<u32, 1>;
var<workgroup> counts: array<atomic<u32>, 1>;
var<private> seen: array<u32, 2>;

@compute @workgroup_size(16)
fn agreed(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let row = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (row >= params.rows) {
    return;
  }
  if (local_invocation_index == 0u) {
    bound[0u] = x[row * 16u] & 7u;
    atomicStore(&counts[0u], 0u);
  }
  workgroupBarrier();
  atomicAdd(&counts[0u], 1u);
  let turns = workgroupUniformLoad(&bound[0u]);
  let arrived = workgroupUniformLoad(&counts[0u]);
  for (var turn = 0u; turn < turns; turn += 1u) {
    seen[turn & 1u] = seen[turn & 1u] + turn;
    workgroupBarrier();
  }
  y[row * 16u + local_invocation_index] = seen[0u] * 100u + seen[1u] * 10u + arrived;
}
