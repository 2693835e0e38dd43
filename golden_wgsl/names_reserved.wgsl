// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/names.py:reserved
// dialect: naga
// bindings: target read, storage read_write, vec3f read_write, params uniform
// barriers: 0
// shared bytes: 0

struct texture {
  filter_: f32,
  ref_: u32,
}

struct Params {
  self_: f32,
  array_: u32,
}

@group(0) @binding(0) var<storage, read> target_: array<f32>;
@group(0) @binding(1) var<storage, read_write> storage_: array<texture>;
@group(0) @binding(2) var<storage, read_write> vec3f_: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let loop_ = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (loop_ >= params.array_) {
    return;
  }
  let override_ = target_[loop_];
  var fn_ = override_ * params.self_;
  let const_ = storage_[loop_];
  fn_ = fn_ + const_.filter_;
  storage_[loop_].ref_ = const_.ref_ + 1u;
  vec3f_[loop_] = fn_;
}
