// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/structs.py:touch
// dialect: naga
// bindings: cells read_write, points read, params uniform
// barriers: 0
// shared bytes: 0

struct Box {
  low: vec3f,
  high: vec3f,
}

struct Cell {
  box: Box,
  turn: mat2x2f,
  hits: array<u32, 3>,
}

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read_write> cells: array<Cell>;
@group(0) @binding(1) var<storage, read> points: array<vec2f>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn touch(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let cell = cells[i];
  let turned = cell.turn * points[i];
  cells[i].box.low.x = turned.x;
  cells[i].box.high = cell.box.high + 1.0f;
  cells[i].hits[i % 3u] = cell.hits[0u] + cell.hits[1u];
  cells[i].turn[1u] = turned;
}
