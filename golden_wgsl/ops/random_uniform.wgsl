// shaderdsl golden, format 1
// op: shaderdsl.ops:random_uniform
// dialect: naga
//
//   given n: i32, word0: u32, word1: u32, word2: u32, word3: u32, key0: u32, key1: u32
//   a[i < (n + 3) // 4, r < 10], b[i < (n + 3) // 4, r < 10], c[i < (n + 3) // 4, r < 10], d[i < (n + 3) // 4, r < 10] = scan(r, start=(word0 + u32(i), word1, word2, word3)) bit_xor(bit_xor(mul_high(c[i, r - 1], 3449720151), b[i, r - 1]), key0 + u32(r) * 2654435769), c[i, r - 1] * 3449720151, bit_xor(bit_xor(mul_high(a[i, r - 1], 3528531795), d[i, r - 1]), key1 + u32(r) * 3144134277), a[i, r - 1] * 3528531795
//   bits[e < n] = where(e % 4 == 0, a[e // 4, 9], where(e % 4 == 1, b[e // 4, 9], where(e % 4 == 2, c[e // 4, 9], d[e // 4, 9])))
//   y[e < n] = f32(shift_right(bits[e], 8)) * 5.960464477539063e-08
//
// random_uniform_a_b_c_d: a read_write, b read_write, c read_write, d read_write, params uniform; barriers 0, shared bytes 0
// random_uniform_bits: a read, b read, c read, d read, bits read_write, params uniform; barriers 0, shared bytes 0
// random_uniform_y: bits read, y read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  word0: u32,
  word1: u32,
  word2: u32,
  word3: u32,
  key0: u32,
  key1: u32,
  i: u32,
  r: u32,
}

@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> c: array<u32>;
@group(0) @binding(3) var<storage, read_write> d: array<u32>;
@group(0) @binding(4) var<uniform> params: Params;

fn mul_high_u32(x: u32, y_1: u32) -> u32 {
  let t = x & 65535u;
  let t_1 = x >> 16u;
  let t_2 = y_1 & 65535u;
  let t_3 = y_1 >> 16u;
  let t_4 = t_1 * t_2 + ((t * t_2) >> 16u);
  return t_1 * t_3 + (t_4 >> 16u) + ((t * t_3 + (t_4 & 65535u)) >> 16u);
}

@compute @workgroup_size(64)
fn random_uniform_a_b_c_d(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.i) {
    return;
  }
  var a_now = params.word0 + u32(i32(i));
  var b_now = params.word1;
  var c_now = params.word2;
  var d_now = params.word3;
  for (var r = 0u; r < params.r; r += 1u) {
    let c_now_value = c_now;
    let mul_high_u32_value = mul_high_u32(c_now_value, 3449720151u);
    let t = u32(i32(r));
    let t_1 = mul_high_u32_value ^ b_now ^ (params.key0 + t * 2654435769u);
    let t_2 = c_now_value * 3449720151u;
    let a_now_value = a_now;
    let mul_high_u32_value_1 = mul_high_u32(a_now_value, 3528531795u);
    let t_3 = mul_high_u32_value_1 ^ d_now ^ (params.key1 + t * 3144134277u);
    let t_4 = a_now_value * 3528531795u;
    a_now = t_1;
    a[i * params.r + r] = t_1;
    b_now = t_2;
    b[i * params.r + r] = t_2;
    c_now = t_3;
    c[i * params.r + r] = t_3;
    d_now = t_4;
    d[i * params.r + r] = t_4;
  }
}

struct Params_1 {
  e: u32,
  i: u32,
  r: u32,
}

@group(0) @binding(0) var<storage, read> a_1: array<u32>;
@group(0) @binding(1) var<storage, read> b_1: array<u32>;
@group(0) @binding(2) var<storage, read> c_1: array<u32>;
@group(0) @binding(3) var<storage, read> d_1: array<u32>;
@group(0) @binding(4) var<storage, read_write> bits: array<u32>;
@group(0) @binding(5) var<uniform> params_1: Params_1;

fn floor_mod(x: i32, y_1: i32) -> i32 {
  let t = select(x - x / y_1 * y_1, 0i, y_1 == 0i);
  return select(select(t, t + y_1, t != 0i && (t ^ y_1) < 0i), 0i, y_1 == 0i);
}

fn floor_div(x: i32, y_1: i32) -> i32 {
  let t = select(x - x / y_1 * y_1, 0i, y_1 == 0i);
  return select(x / y_1 - i32(t != 0i && (t ^ y_1) < 0i), 0i, y_1 == 0i);
}

@compute @workgroup_size(64)
fn random_uniform_bits(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let e = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (e >= params_1.e) {
    return;
  }
  let t = i32(e);
  let floor_mod_value = floor_mod(t, 4i);
  let floor_div_value = floor_div(t, 4i);
  let t_1 = u32(floor_div_value);
  let t_2 = t_1 < params_1.i && 9u < params_1.r;
  bits[e] = select(select(select(select(0u, d_1[select(0u, t_1 * params_1.r + 9u, t_2)], t_2), select(0u, c_1[select(0u, t_1 * params_1.r + 9u, t_2)], t_2), floor_mod_value == 2i), select(0u, b_1[select(0u, t_1 * params_1.r + 9u, t_2)], t_2), floor_mod_value == 1i), select(0u, a_1[select(0u, t_1 * params_1.r + 9u, t_2)], t_2), floor_mod_value == 0i);
}

struct Params_2 {
  e: u32,
  e_2: u32,
}

@group(0) @binding(0) var<storage, read> bits_1: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn random_uniform_y(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let e = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (e >= params_2.e) {
    return;
  }
  let t = e < params_2.e_2;
  y[e] = f32(select(0u, bits_1[select(0u, e, t)], t) >> 8u) * 5.9604645e-8f;
}
