// shaderdsl golden, format 1
// kernel: codegen_tests/kernels/structs.py:step
// dialect: naga
// bindings: particles read_write, params uniform
// barriers: 0
// shared bytes: 0

struct Particle {
  position: vec3f,
  mass: f32,
  velocity: vec3f,
  age: u32,
}

struct Box {
  low: vec3f,
  high: vec3f,
}

struct Params {
  box: Box,
  dt: f32,
  n: u32,
}

@group(0) @binding(0) var<storage, read_write> particles: array<Particle>;
@group(0) @binding(1) var<uniform> params: Params;

@compute @workgroup_size(64)
fn step_(
  @builtin(local_invocation_index) local_invocation_index: u32,
  @builtin(workgroup_id) workgroup_id: vec3u,
  @builtin(num_workgroups) num_workgroups: vec3u,
) {
  let i = (workgroup_id.x + workgroup_id.y * num_workgroups.x) * 64u + local_invocation_index;
  if (i >= params.n) {
    return;
  }
  let p = particles[i];
  let moved = p.position + p.velocity * params.dt;
  let inside = (moved >= params.box.low) & (moved <= params.box.high);
  particles[i] = Particle(clamp(moved, params.box.low, params.box.high), p.mass, select(-p.velocity, p.velocity, inside), p.age + 1u);
}
