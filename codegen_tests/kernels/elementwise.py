"""One invocation an element: arithmetic and the numeric builtins of floats."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32

Read = Annotated[sd.In[f32], "n"]
Write = Annotated[sd.Out[f32], "n"]


@sd.kernel(workgroup_size=256)
def scale(k: sd.Kernel, x: Read, y: Write, a: sd.Param[f32]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * a


@sd.kernel
def axpy(k: sd.Kernel, a: sd.Param[f32], x: Read, y: Annotated[sd.InOut[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] += a * x[i]


@sd.kernel
def arithmetic(k: sd.Kernel, x: Read, y: Read, out: Annotated[sd.Out[f32], "n, 6"]) -> None:
    with k.each(x.n) as i:
        a = x[i]
        b = y[i]
        out[i, 0] = a + b * 2
        out[i, 1] = (a - b) * (a + b)
        out[i, 2] = a / b - 1 / (b + 8)
        out[i, 3] = -a - (-b)
        out[i, 4] = sd.mod_trunc(a, b)
        out[i, 5] = a - (b - (a - b))


@sd.kernel
def limits(k: sd.Kernel, x: Read, y: Read, out: Annotated[sd.Out[f32], "n, 9"]) -> None:
    with k.each(x.n) as i:
        a = x[i]
        b = y[i]
        out[i, 0] = sd.min(a, b)
        out[i, 1] = sd.max(a, 0)
        out[i, 2] = sd.clamp(a, -1, 1)
        out[i, 3] = sd.saturate(b)
        out[i, 4] = sd.abs(a) * sd.sign(b)
        out[i, 5] = sd.mix(a, b, 0.25)
        out[i, 6] = sd.step(0.5, a)
        out[i, 7] = sd.smoothstep(0, 1, a)
        out[i, 8] = sd.fma(a, b, 1)


@sd.kernel
def rounding(k: sd.Kernel, x: Read, out: Annotated[sd.Out[f32], "n, 11"]) -> None:
    with k.each(x.n) as i:
        a = x[i]
        out[i, 0] = sd.ceil(a)
        out[i, 1] = sd.floor(a)
        out[i, 2] = sd.round(a)
        out[i, 3] = sd.trunc(a)
        out[i, 4] = sd.fract(a)
        out[i, 5] = sd.quantize_to_f16(a)
        parts = sd.modf(a)
        out[i, 6] = parts.fract
        out[i, 7] = parts.whole
        split = sd.frexp(a)
        out[i, 8] = split.fract
        out[i, 9] = split.exp.f32
        out[i, 10] = sd.ldexp(split.fract, split.exp)


@sd.kernel
def powers(k: sd.Kernel, x: Read, out: Annotated[sd.Out[f32], "n, 7"]) -> None:
    with k.each(x.n) as i:
        a = x[i]
        out[i, 0] = sd.exp(-a)
        out[i, 1] = sd.exp2(a)
        out[i, 2] = sd.log(a)
        out[i, 3] = sd.log2(a)
        out[i, 4] = sd.pow(a, 1.5)
        out[i, 5] = sd.sqrt(a)
        out[i, 6] = sd.inverse_sqrt(a)


@sd.kernel
def angles(k: sd.Kernel, x: Read, out: Annotated[sd.Out[f32], "n, 9"]) -> None:
    with k.each(x.n) as i:
        a = x[i]
        out[i, 0] = sd.sin(a)
        out[i, 1] = sd.cos(a)
        out[i, 2] = sd.tan(a)
        out[i, 3] = sd.asin(a)
        out[i, 4] = sd.acos(a)
        out[i, 5] = sd.atan(a)
        out[i, 6] = sd.atan2(a, 2)
        out[i, 7] = sd.degrees(a)
        out[i, 8] = sd.radians(a)


@sd.kernel
def hyperbolics(k: sd.Kernel, x: Read, out: Annotated[sd.Out[f32], "n, 5"]) -> None:
    with k.each(x.n) as i:
        a = x[i]
        out[i, 0] = sd.sinh(a)
        out[i, 1] = sd.cosh(a)
        out[i, 2] = sd.asinh(a)
        out[i, 3] = sd.acosh(a + 1)
        out[i, 4] = sd.atanh(a * 0.5)


@sd.kernel
def activations(k: sd.Kernel, x: Read, out: Annotated[sd.Out[f32], "n, 5"]) -> None:
    with k.each(x.n) as i:
        a = x[i]
        out[i, 0] = sd.tanh(a)
        out[i, 1] = sd.sigmoid(a)
        out[i, 2] = sd.softplus(a)
        out[i, 3] = sd.silu(a)
        out[i, 4] = 0.5 * a * (1 + sd.tanh(0.7978845608 * (a + 0.044715 * a * a * a)))
