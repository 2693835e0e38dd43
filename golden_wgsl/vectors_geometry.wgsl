// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/vectors.py:geometry
// dialect: naga
// bindings: a read, b read, vectors read_write, numbers read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> a: array<vec3f>;
@group(0) @binding(1) var<storage, read> b: array<vec3f>;
@group(0) @binding(2) var<storage, read_write> vectors: array<vec3f>;
@group(0) @binding(3) var<storage, read_write> numbers: array<f32>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(64)
fn geometry(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let v = a[i];
  let normal = normalize(b[i]);
  vectors[i * 6u] = cross(v, normal);
  vectors[i * 6u + 1u] = normal;
  vectors[i * 6u + 2u] = reflect(v, normal);
  vectors[i * 6u + 3u] = refract(normalize(v), normal, 0.75f);
  vectors[i * 6u + 4u] = faceForward(normal, v, normal);
  vectors[i * 6u + 5u] = mix(v, normal, 0.5f);
  numbers[i * 3u] = dot(v, normal);
  numbers[i * 3u + 1u] = length(v);
  numbers[i * 3u + 2u] = distance(v, normal);
}
