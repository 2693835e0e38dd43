// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/atomics.py:every_operation
// dialect: naga
// bindings: x read, out read_write, bits read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read_write> out: array<atomic<i32>>;
@group(0) @binding(2) var<storage, read_write> bits: array<atomic<u32>>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(32)
fn every_operation(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 32u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let value = x[i];
  atomicAdd(&out[0u], value);
  atomicSub(&out[1u], value);
  atomicMax(&out[2u], value);
  atomicMin(&out[3u], value);
  atomicOr(&bits[0u], u32(value));
  atomicXor(&bits[1u], u32(value));
  atomicAnd(&bits[2u], u32(value));
  if (i == 0u) {
    atomicStore(&out[4u], 7i);
    let old = atomicExchange(&out[4u], 9i);
    atomicStore(&out[5u], old);
    let old_1 = atomicLoad(&out[4u]);
    atomicStore(&out[6u], old_1);
  }
}
