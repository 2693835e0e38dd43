// shaderdsl golden, format 1
// op: shaderdsl.ops:lora_linear.vjp
// dialect: naga
//
//   given x[m, i], w[o, i], a[r, i], b[o, r], alpha, d_y[m, o]
//   h[m, r] = sum(i) x[m, i] * a[r, i]
//   d_up[m, o] = alpha * d_y[m, o] / size(r)
//   p[m, r] = sum(o) b[o, r] * d_up[m, o]
//   p2[m, i] = sum(r) a[r, i] * p[m, r]
//   p3[m, i] = sum(o) w[o, i] * d_y[m, o]
//   d_x[m, i] = p2[m, i] + p3[m, i]
//   d_w[o, i] = sum(m) x[m, i] * d_y[m, o]
//   d_a[r, i] = sum(m) x[m, i] * p[m, r]
//   d_b[o, r] = sum(m) h[m, r] * d_up[m, o]
//   out(d_x, d_w, d_a, d_b)
//
// lora_linear_vjp_h: x read, a read, h read_write, params uniform; barriers 0, shared bytes 0
// lora_linear_vjp_d_up: d_y read, d_up read_write, params uniform; barriers 0, shared bytes 0
// lora_linear_vjp_p: b read, d_up read, p read_write, params uniform; barriers 0, shared bytes 0
// lora_linear_vjp_p2: a read, p read, p2 read_write, params uniform; barriers 0, shared bytes 0
// lora_linear_vjp_p3: w read, d_y read, p3 read_write, params uniform; barriers 0, shared bytes 0
// lora_linear_vjp_d_x: p2 read, p3 read, d_x read_write, params uniform; barriers 0, shared bytes 0
// lora_linear_vjp_d_w: x read, d_y read, d_w read_write, params uniform; barriers 0, shared bytes 0
// lora_linear_vjp_d_a: x read, p read, d_a read_write, params uniform; barriers 0, shared bytes 0
// lora_linear_vjp_d_b: h read, d_up read, d_b read_write, params uniform; barriers 0, shared bytes 0

struct Params {
  m: u32,
  r: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> h: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn lora_linear_vjp_h(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params.m * params.r) {
    return;
  }
  let r = point % params.r;
  let m = point / params.r;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var i = 0u; i < params.i; i += 1u) {
    run = run + x[m * params.i + i] * a[r * params.i + i];
    if ((i & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((i & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  h[m * params.r + r] = total + (long_run + run);
}

struct Params_1 {
  alpha: f32,
  m: u32,
  o: u32,
  r: u32,
}

@group(0) @binding(0) var<storage, read> d_y: array<f32>;
@group(0) @binding(1) var<storage, read_write> d_up: array<f32>;
@group(0) @binding(2) var<uniform> params_1: Params_1;

@compute @workgroup_size(64)
fn lora_linear_vjp_d_up(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_1.m * params_1.o) {
    return;
  }
  let o = point % params_1.o;
  let m = point / params_1.o;
  d_up[m * params_1.o + o] = params_1.alpha * d_y[m * params_1.o + o] / f32(params_1.r);
}

struct Params_2 {
  m: u32,
  r: u32,
  o: u32,
}

@group(0) @binding(0) var<storage, read> b: array<f32>;
@group(0) @binding(1) var<storage, read> d_up_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> p: array<f32>;
@group(0) @binding(3) var<uniform> params_2: Params_2;

@compute @workgroup_size(64)
fn lora_linear_vjp_p(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_2.m * params_2.r) {
    return;
  }
  let r = point % params_2.r;
  let m = point / params_2.r;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var o = 0u; o < params_2.o; o += 1u) {
    run = run + b[o * params_2.r + r] * d_up_1[m * params_2.o + o];
    if ((o & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((o & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p[m * params_2.r + r] = total + (long_run + run);
}

struct Params_3 {
  m: u32,
  i: u32,
  r: u32,
}

@group(0) @binding(0) var<storage, read> a_1: array<f32>;
@group(0) @binding(1) var<storage, read> p_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> p2: array<f32>;
@group(0) @binding(3) var<uniform> params_3: Params_3;

@compute @workgroup_size(64)
fn lora_linear_vjp_p2(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_3.m * params_3.i) {
    return;
  }
  let i = point % params_3.i;
  let m = point / params_3.i;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var r = 0u; r < params_3.r; r += 1u) {
    run = run + a_1[r * params_3.i + i] * p_1[m * params_3.r + r];
    if ((r & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((r & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p2[m * params_3.i + i] = total + (long_run + run);
}

struct Params_4 {
  m: u32,
  i: u32,
  o: u32,
}

@group(0) @binding(0) var<storage, read> w: array<f32>;
@group(0) @binding(1) var<storage, read> d_y_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> p3: array<f32>;
@group(0) @binding(3) var<uniform> params_4: Params_4;

@compute @workgroup_size(64)
fn lora_linear_vjp_p3(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_4.m * params_4.i) {
    return;
  }
  let i = point % params_4.i;
  let m = point / params_4.i;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var o = 0u; o < params_4.o; o += 1u) {
    run = run + w[o * params_4.i + i] * d_y_1[m * params_4.o + o];
    if ((o & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((o & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  p3[m * params_4.i + i] = total + (long_run + run);
}

struct Params_5 {
  m: u32,
  i: u32,
}

@group(0) @binding(0) var<storage, read> p2_1: array<f32>;
@group(0) @binding(1) var<storage, read> p3_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_x: array<f32>;
@group(0) @binding(3) var<uniform> params_5: Params_5;

@compute @workgroup_size(64)
fn lora_linear_vjp_d_x(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_5.m * params_5.i) {
    return;
  }
  let i = point % params_5.i;
  let m = point / params_5.i;
  d_x[m * params_5.i + i] = p2_1[m * params_5.i + i] + p3_1[m * params_5.i + i];
}

struct Params_6 {
  o: u32,
  i: u32,
  m: u32,
}

@group(0) @binding(2) var<storage, read_write> d_w: array<f32>;
@group(0) @binding(3) var<uniform> params_6: Params_6;

@compute @workgroup_size(64)
fn lora_linear_vjp_d_w(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_6.o * params_6.i) {
    return;
  }
  let i = point % params_6.i;
  let o = point / params_6.i;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var m = 0u; m < params_6.m; m += 1u) {
    run = run + x[m * params_6.i + i] * d_y_1[m * params_6.o + o];
    if ((m & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((m & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_w[o * params_6.i + i] = total + (long_run + run);
}

struct Params_7 {
  r: u32,
  i: u32,
  m: u32,
}

@group(0) @binding(2) var<storage, read_write> d_a: array<f32>;
@group(0) @binding(3) var<uniform> params_7: Params_7;

@compute @workgroup_size(64)
fn lora_linear_vjp_d_a(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_7.r * params_7.i) {
    return;
  }
  let i = point % params_7.i;
  let r = point / params_7.i;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var m = 0u; m < params_7.m; m += 1u) {
    run = run + x[m * params_7.i + i] * p_1[m * params_7.r + r];
    if ((m & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((m & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_a[r * params_7.i + i] = total + (long_run + run);
}

struct Params_8 {
  o: u32,
  r: u32,
  m: u32,
}

@group(0) @binding(0) var<storage, read> h_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> d_b: array<f32>;
@group(0) @binding(3) var<uniform> params_8: Params_8;

@compute @workgroup_size(64)
fn lora_linear_vjp_d_b(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= params_8.o * params_8.r) {
    return;
  }
  let r = point % params_8.r;
  let o = point / params_8.r;
  var run = 0.0f;
  var long_run = 0.0f;
  var total = 0.0f;
  for (var m = 0u; m < params_8.m; m += 1u) {
    run = run + h_1[m * params_8.r + r] * d_up_1[m * params_8.o + o];
    if ((m & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((m & 255u) == 255u) {
        total = total + long_run;
        long_run = 0.0f;
      }
    }
  }
  d_b[o * params_8.r + r] = total + (long_run + run);
}
