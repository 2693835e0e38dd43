// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/matrices.py:products
// dialect: naga
// bindings: a read, b read, square read_write, wide read_write, row read_write, number read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> a: array<mat2x3f>;
@group(0) @binding(1) var<storage, read> b: array<mat3x2f>;
@group(0) @binding(2) var<storage, read_write> square: array<mat2x2f>;
@group(0) @binding(3) var<storage, read_write> wide: array<mat3x3f>;
@group(0) @binding(4) var<storage, read_write> row: array<vec2f>;
@group(0) @binding(5) var<storage, read_write> number: array<f32>;
@group(0) @binding(6) var<uniform> params: Params;

@compute @workgroup_size(64)
fn products(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let small = b[i] * a[i];
  square[i] = small * 2.0f + mat2x2f(vec2f(1.0f, 0.0f), vec2f(0.0f, 1.0f));
  wide[i] = transpose(b[i] - transpose(a[i])) * b[i];
  row[i] = vec3f(1.0f, 2.0f, 3.0f) * a[i];
  number[i] = determinant(small) + a[i][1u].z;
}
