"""Matrices: products on both sides, columns, transpose and determinant."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def transform(
    k: sd.Kernel,
    points: Annotated[sd.In[sd.vec3f], "n"],
    turn: sd.Param[sd.mat3x3f],
    offset: sd.Param[sd.vec3f],
    moved: Annotated[sd.Out[sd.vec3f], "n"],
) -> None:
    with k.each(points.n) as i:
        moved[i] = turn * points[i] + offset


@sd.kernel
def products(
    k: sd.Kernel,
    a: Annotated[sd.In[sd.mat2x3f], "n"],
    b: Annotated[sd.In[sd.mat3x2f], "n"],
    square: Annotated[sd.Out[sd.mat2x2f], "n"],
    wide: Annotated[sd.Out[sd.mat3x3f], "n"],
    row: Annotated[sd.Out[sd.vec2f], "n"],
    number: Annotated[sd.Out[f32], "n"],
) -> None:
    with k.each(a.n) as i:
        small = b[i] * a[i]
        square[i] = small * 2 + sd.mat2x2f(1, 0, 0, 1)
        wide[i] = sd.transpose(b[i] - sd.transpose(a[i])) * b[i]
        row[i] = sd.vec3f(1, 2, 3) * a[i]
        number[i] = sd.determinant(small) + a[i][1].z


@sd.kernel
def build(k: sd.Kernel, angle: Annotated[sd.In[f32], "n"], out: Annotated[sd.Out[sd.mat4x4f], "n"]) -> None:
    with k.each(angle.n) as i:
        m = k.var(sd.mat4x4f(sd.vec4f(1), sd.vec4f(0, angle[i], 0, 0), sd.vec4f(2), sd.vec4f(0, 0, 0, 1)))
        m[0] = sd.vec4f(angle[i])
        m.at(2).y += 1
        out[i] = m.value
