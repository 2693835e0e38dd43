// shaderdsl golden, format 1
// op: shaderdsl.ops:cross_entropy_range
// dialect: naga
//
//   given x[t, v], label[t]: i32, start: i32, stop: i32
//   m[t] = max(v) x[t, v]
//   s[t] = sum(v) exp(x[t, v] - m[t])
//   counted[t] = label[t] >= 0 and label[t] < size(v) and t >= start and t < stop
//   n = sum(t) where(counted[t], 1, 0)
//   each[t] = where(counted[t], m[t] + log(s[t]) - x[t, label[t]; 0], 0)
//   total = sum(t) each[t]
//   loss = total / max(n, 1)
//   saved(m, s)
//
// cross_entropy_range_m: x read, m read_write, params uniform; barriers 0, shared bytes 0
// cross_entropy_range_s: x read, m read, s read_write, params uniform; barriers 0, shared bytes 0
// cross_entropy_range_counted: label read, counted read_write, params uniform; barriers 0, shared bytes 0
// cross_entropy_range_n: counted read, n read_write, params uniform; barriers 0, shared bytes 0
// cross_entropy_range_each: counted read, m read, s read, label read, x read, each read_write, params uniform; barriers 0, shared bytes 0
// cross_entropy_range_total: each read, total read_write, params uniform; barriers 0, shared bytes 0
// cross_entropy_range_loss: total read, n read, loss read_write; barriers 0, shared bytes 0

struct Params {
  t: u32,
  v: u32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> m: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn cross_entropy_range_m(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let t = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (t >= params.t) {
    return;
  }
  var best = 0.0f;
  for (var v = 0u; v < params.v; v += 1u) {
    let x_value = x[t * params.v + v];
    best = select(max(best, x_value), x_value, v == 0u);
  }
  m[t] = best;
}

@group(0) @binding(1) var<storage, read> m_1: array<f32>;
@group(0) @binding(2) var<storage, read_write> s: array<f32>;
@group(0) @binding(3) var<uniform> params_1: Params;

@compute @workgroup_size(64)
fn cross_entropy_range_s(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let t = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (t >= params_1.t) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total_2 = 0.0f;
  for (var v = 0u; v < params_1.v; v += 1u) {
    run = run + exp(x[t * params_1.v + v] - m_1[t]);
    if ((v & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((v & 255u) == 255u) {
        total_2 = total_2 + long_run;
        long_run = 0.0f;
      }
    }
  }
  s[t] = total_2 + (long_run + run);
}

struct Params_1 {
  start: i32,
  stop: i32,
  t: u32,
  v: u32,
}

@group(0) @binding(0) var<storage, read> label: array<i32>;
@group(0) @binding(1) var<storage, read_write> counted: array<u32>;
@group(0) @binding(2) var<uniform> params_2: Params_1;

@compute @workgroup_size(64)
fn cross_entropy_range_counted(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let t = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (t >= params_2.t) {
    return;
  }
  let label_value = label[t];
  let t_1 = i32(t);
  counted[t] = u32(label_value >= 0i && label_value < i32(params_2.v) && t_1 >= params_2.start && t_1 < params_2.stop);
}

struct Params_2 {
  t: u32,
}

@group(0) @binding(0) var<storage, read> counted_1: array<u32>;
@group(0) @binding(1) var<storage, read_write> n: array<i32>;
@group(0) @binding(2) var<uniform> params_3: Params_2;

@compute @workgroup_size(64)
fn cross_entropy_range_n(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= 1u) {
    return;
  }
  var total_2 = 0i;
  for (var t = 0u; t < params_3.t; t += 1u) {
    total_2 = total_2 + select(0i, 1i, counted_1[t] != 0u);
  }
  n[0u] = total_2;
}

@group(0) @binding(2) var<storage, read> s_1: array<f32>;
@group(0) @binding(3) var<storage, read> label_1: array<i32>;
@group(0) @binding(4) var<storage, read> x_1: array<f32>;
@group(0) @binding(5) var<storage, read_write> each: array<f32>;
@group(0) @binding(6) var<uniform> params_4: Params;

@compute @workgroup_size(64)
fn cross_entropy_range_each(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let t = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (t >= params_4.t) {
    return;
  }
  let t_1 = u32(label_1[t]);
  let t_2 = t_1 < params_4.v;
  each[t] = select(0.0f, m_1[t] + log(s_1[t]) - select(0.0f, x_1[select(0u, t * params_4.v + t_1, t_2)], t_2), counted_1[t] != 0u);
}

@group(0) @binding(0) var<storage, read> each_1: array<f32>;
@group(0) @binding(1) var<storage, read_write> total: array<f32>;

@compute @workgroup_size(64)
fn cross_entropy_range_total(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= 1u) {
    return;
  }
  var run = 0.0f;
  var long_run = 0.0f;
  var total_2 = 0.0f;
  for (var t = 0u; t < params_3.t; t += 1u) {
    run = run + each_1[t];
    if ((t & 15u) == 15u) {
      long_run = long_run + run;
      run = 0.0f;
      if ((t & 255u) == 255u) {
        total_2 = total_2 + long_run;
        long_run = 0.0f;
      }
    }
  }
  total[0u] = total_2 + (long_run + run);
}

@group(0) @binding(0) var<storage, read> total_1: array<f32>;
@group(0) @binding(1) var<storage, read> n_1: array<i32>;
@group(0) @binding(2) var<storage, read_write> loss: array<f32>;

@compute @workgroup_size(64)
fn cross_entropy_range_loss(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let point = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (point >= 1u) {
    return;
  }
  loss[0u] = total_1[0u] / f32(max(n_1[0u], 1i));
}
