// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/literals.py:integers
// dialect: naga
// bindings: signed read_write, unsigned read_write
// barriers: 0
// shared bytes: 0

@group(0) @binding(0) var<storage, read_write> signed: array<i32>;
@group(0) @binding(1) var<storage, read_write> unsigned: array<u32>;

@compute @workgroup_size(1)
fn integers(
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (i >= 1u) {
    return;
  }
  signed[i] = i32(-2147483648);
  signed[i + 1u] = 2147483647i;
  signed[i + 2u] = -1i;
  unsigned[i] = 4294967295u;
  unsigned[i + 1u] = 0u;
}
