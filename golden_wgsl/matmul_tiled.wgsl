// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/matmul.py:tiled
// dialect: naga
// bindings: a read, b read, c read_write, params uniform
// barriers: 2
// shared bytes: 2048

struct Params {
  m: u32,
  n: u32,
  inner: u32,
}

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

var<workgroup> left: array<f32, 256>;
var<workgroup> right: array<f32, 256>;

@compute @workgroup_size(16, 16)
fn tiled(
  @builtin(local_invocation_id) local_invocation_id: vec3u,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let group = workgroup_id.x + workgroup_id.y * num_workgroups.x;
  let tile_row = group / ((params.n + 15u) / 16u);
  let tile_column = group % ((params.n + 15u) / 16u);
  if (tile_row >= (params.m + 15u) / 16u) {
    return;
  }
  let row = tile_row * 16u + local_invocation_id.y;
  let column = tile_column * 16u + local_invocation_id.x;
  var total = 0.0f;
  for (var start = 0u; start < params.inner; start += 16u) {
    left[local_invocation_id.y * 16u + local_invocation_id.x] = 0.0f;
    right[local_invocation_id.y * 16u + local_invocation_id.x] = 0.0f;
    if (row < params.m && start + local_invocation_id.x < params.inner) {
      left[local_invocation_id.y * 16u + local_invocation_id.x] = a[row * params.inner + (start + local_invocation_id.x)];
    }
    if (start + local_invocation_id.y < params.inner && column < params.n) {
      right[local_invocation_id.y * 16u + local_invocation_id.x] = b[(start + local_invocation_id.y) * params.n + column];
    }
    workgroupBarrier();
    for (var i = 0u; i < 16u; i += 1u) {
      total = total + left[local_invocation_id.y * 16u + i] * right[i * 16u + local_invocation_id.x];
    }
    workgroupBarrier();
  }
  if (row < params.m && column < params.n) {
    c[row * params.n + column] = total;
  }
}
