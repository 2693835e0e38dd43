// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/literals.py:not_numbers
// dialect: naga
// bindings: out read_write, words read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  runtime_zero: u32,
}

@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(1)
fn not_numbers(
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  if (i >= 1u) {
    return;
  }
  out[i] = bitcast<f32>(2139095040u | params.runtime_zero);
  out[i + 1u] = -bitcast<f32>(2139095040u | params.runtime_zero);
  out[i + 2u] = bitcast<f32>(2143289344u | params.runtime_zero);
  out[i + 3u] = bitcast<f32>(2147483648u | params.runtime_zero);
  words[i] = u32((bitcast<u32>(bitcast<f32>(2143289344u | params.runtime_zero)) & 2147483647u) > 2139095040u);
  words[i + 1u] = u32((bitcast<u32>(bitcast<f32>(2139095040u | params.runtime_zero)) & 2147483647u) == 2139095040u);
  words[i + 2u] = u32((bitcast<u32>(bitcast<f32>(2139095040u | params.runtime_zero)) & 2147483647u) < 2139095040u);
}
