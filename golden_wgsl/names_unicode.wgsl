// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/names.py:größe
// dialect: naga
// bindings: länge read, breite read, fläche read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> länge: array<f32>;
@group(0) @binding(1) var<storage, read> breite: array<f32>;
@group(0) @binding(2) var<storage, read_write> fläche: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn größe(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let höhe = länge[i];
  fläche[i] = höhe * höhe + breite[i];
}
