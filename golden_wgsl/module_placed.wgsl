// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/module.py:placed
// dialect: naga
// bindings: x read, y read, out read_write, params uniform
// barriers: 0
// shared bytes: 0

diagnostic(off, derivative_uniformity);

struct Params {
  bias: f32,
  n: u32,
}

@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(0) var<storage, read> y: array<f32>;
@group(2) @binding(1) var<storage, read_write> out: array<f32>;
@group(1) @binding(0) var<uniform> params: Params;

@compute @workgroup_size(32)
fn add_main(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 32u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  out[i] = x[i] + y[i] + params.bias;
}
