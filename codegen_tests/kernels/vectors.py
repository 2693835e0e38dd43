"""Vectors: swizzles, componentwise operators, comparisons, the geometric builtins."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, i32, u32


@sd.kernel
def swizzles(k: sd.Kernel, x: Annotated[sd.In[sd.vec4f], "n"], y: Annotated[sd.Out[sd.vec4f], "n"]) -> None:
    with k.each(x.n) as i:
        v = x[i]
        pair = sd.vec2f(v.w, v.x)
        w = k.var(sd.vec4f(pair.yx, v.zz))
        w.x += 1
        w[2] = v[i & 3]
        y[i] = w.value * sd.vec4f(2) - v.bgra


@sd.kernel
def comparisons(
    k: sd.Kernel,
    a: Annotated[sd.In[sd.vec3i], "n"],
    b: Annotated[sd.In[sd.vec3i], "n"],
    out: Annotated[sd.Out[sd.vec3i], "n"],
    flags: Annotated[sd.Out[u32], "n"],
) -> None:
    with k.each(a.n) as i:
        p = a[i]
        q = b[i]
        less = p < q
        mixed = (less | (p == q)) & ~(p > sd.vec3i(5))
        out[i] = sd.where(mixed, p, q) + (p & 3) - (q >> 1)
        flags[i] = sd.all(less).u32 + sd.any(p >= q).u32 * 2 + sd.any(p != q).u32 * 4 + sd.all(p <= q).u32 * 8


@sd.kernel
def geometry(
    k: sd.Kernel,
    a: Annotated[sd.In[sd.vec3f], "n"],
    b: Annotated[sd.In[sd.vec3f], "n"],
    vectors: Annotated[sd.Out[sd.vec3f], "n, 6"],
    numbers: Annotated[sd.Out[f32], "n, 3"],
) -> None:
    with k.each(a.n) as i:
        v = a[i]
        normal = sd.normalize(b[i])
        vectors[i, 0] = sd.cross(v, normal)
        vectors[i, 1] = normal
        vectors[i, 2] = sd.reflect(v, normal)
        vectors[i, 3] = sd.refract(sd.normalize(v), normal, 0.75)
        vectors[i, 4] = sd.face_forward(normal, v, normal)
        vectors[i, 5] = sd.mix(v, normal, 0.5)
        numbers[i, 0] = sd.dot(v, normal)
        numbers[i, 1] = sd.length(v)
        numbers[i, 2] = sd.distance(v, normal)


@sd.kernel
def integer_dot(
    k: sd.Kernel, a: Annotated[sd.In[sd.vec2u], "n"], b: Annotated[sd.In[sd.vec2u], "n"], y: Annotated[sd.Out[u32], "n"]
) -> None:
    with k.each(a.n) as i:
        shifted = a[i] << sd.vec2u(1, 3)
        y[i] = sd.dot(shifted // 2 + b[i] % 7, ~b[i] ^ 1)


@sd.kernel
def dynamic_component(
    k: sd.Kernel,
    x: Annotated[sd.In[sd.vec4f], "n"],
    which: Annotated[sd.In[i32], "n"],
    y: Annotated[sd.Out[f32], "n"],
) -> None:
    """A component chosen at run time, of a value and of a variable."""
    with k.each(x.n) as i:
        v = k.var(x[i])
        v[which[i]] = 0
        y[i] = x[i][which[i]] + v.value.x
