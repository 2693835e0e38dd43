// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/conversions.py:bits
// dialect: naga
// bindings: x read, words read_write, back read_write, vector read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@group(0) @binding(2) var<storage, read_write> back: array<f32>;
@group(0) @binding(3) var<storage, read_write> vector: array<vec2i>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(64)
fn bits(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let word = bitcast<u32>(x[i]);
  words[i] = word;
  back[i] = bitcast<f32>(word ^ 2147483648u);
  vector[i] = bitcast<vec2i>(vec2f(x[i], 1.0f));
}
