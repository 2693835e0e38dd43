// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/integers.py:divisions
// dialect: naga
// bindings: x read, y read, out read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Params {
  n: u32,
}

@group(0) @binding(0) var<storage, read> x: array<i32>;
@group(0) @binding(1) var<storage, read> y: array<i32>;
@group(0) @binding(2) var<storage, read_write> out: array<i32>;
@group(0) @binding(3) var<uniform> params: Params;

fn div_floor(x_1: i32, y_1: i32) -> i32 {
  let t = select(x_1 - x_1 / y_1 * y_1, 0i, y_1 == 0i);
  return x_1 / y_1 - i32(t != 0i && (t ^ y_1) < 0i);
}

fn mod_floor(x_1: i32, y_1: i32) -> i32 {
  let t = select(x_1 - x_1 / y_1 * y_1, 0i, y_1 == 0i);
  return select(t, t + y_1, t != 0i && (t ^ y_1) < 0i);
}

fn mod_trunc(x_1: i32, y_1: i32) -> i32 {
  return select(x_1 - x_1 / y_1 * y_1, 0i, y_1 == 0i);
}

@compute @workgroup_size(64)
fn divisions(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let div_floor_value = div_floor(x[i], y[i]);
  out[i * 4u] = div_floor_value;
  out[i * 4u + 1u] = x[i] / y[i];
  let mod_floor_value = mod_floor(x[i], y[i]);
  out[i * 4u + 2u] = mod_floor_value;
  let mod_trunc_value = mod_trunc(x[i], y[i]);
  out[i * 4u + 3u] = mod_trunc_value;
}
