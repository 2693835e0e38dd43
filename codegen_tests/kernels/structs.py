"""Structures: members, arrays and matrices inside, values built whole, atomics as members."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, i32, u32


@sd.struct
class Particle:
    position: sd.vec3f
    mass: f32
    velocity: sd.vec3f
    age: u32


@sd.struct
class Box:
    low: sd.vec3f
    high: sd.vec3f


@sd.struct
class Cell:
    box: Box
    turn: sd.mat2x2f
    hits: Annotated[sd.Array[u32], 3]


@sd.struct
class Counter:
    total: sd.Atomic[i32]
    limit: i32


@sd.kernel
def step(k: sd.Kernel, particles: Annotated[sd.InOut[Particle], "n"], box: sd.Param[Box], dt: sd.Param[f32]) -> None:
    with k.each(particles.n) as i:
        p = particles[i]
        moved = p.position + p.velocity * dt
        inside = (moved >= box.low) & (moved <= box.high)
        particles[i] = Particle(
            position=sd.clamp(moved, box.low, box.high),
            mass=p.mass,
            velocity=sd.where(inside, p.velocity, -p.velocity),
            age=p.age + 1,
        )


@sd.kernel
def touch(k: sd.Kernel, cells: Annotated[sd.InOut[Cell], "n"], points: Annotated[sd.In[sd.vec2f], "n"]) -> None:
    with k.each(cells.n) as i:
        cell = cells[i]
        turned = cell.turn * points[i]
        cells.at(i).box.low.x = turned.x
        cells.at(i).box.high.value = cell.box.high + 1
        cells.at(i).hits[i % 3] = cell.hits[0] + cell.hits[1]
        cells.at(i).turn[1] = turned


@sd.kernel
def count(k: sd.Kernel, x: Annotated[sd.In[i32], "n"], counters: Annotated[sd.InOut[Counter], "m"]) -> None:
    with k.each(x.n) as i:
        slot = i % counters.m
        with k.if_(x[i] < counters.at(slot).limit.value):
            counters.at(slot).total.add(x[i])
