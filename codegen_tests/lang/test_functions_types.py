"""The static types of the builtin functions: `assert_type` is checked by the type checker, and the same kernel is traced."""

from __future__ import annotations

from typing import Annotated, assert_type

import shaderdsl as sd
from shaderdsl import bool_, f16, f32, i32, u32, vec2f, vec3b, vec3f, vec3i
from shaderdsl.lang.results import Frexp, Modf


@sd.kernel
def typed(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "n"],
    h: Annotated[sd.In[f16], "n"],
    s: Annotated[sd.In[i32], "n"],
    y: Annotated[sd.Out[f32], "n"],
) -> None:
    with k.each(x.n) as i:
        a, b, c = x[i], h[i], s[i]
        v = vec3f(a)
        w = vec3i(c)
        assert_type(sd.exp(a), f32)
        assert_type(sd.exp(b), f16)
        assert_type(sd.exp(v), vec3f)
        assert_type(sd.max(a, 0), f32)
        assert_type(sd.max(0, c), i32)
        assert_type(sd.max(0.5, v), vec3f)
        assert_type(sd.clamp(a, 0, 1), f32)
        assert_type(sd.mix(v, 1, 0.5), vec3f)
        assert_type(sd.mix(v, v, a), vec3f)
        assert_type(sd.dot(v, v), f32)
        assert_type(sd.dot(w, w), i32)
        assert_type(sd.length(v), f32)
        assert_type(sd.length(b), f16)
        assert_type(sd.distance(v, v), f32)
        assert_type(sd.refract(v, v, a), vec3f)
        assert_type(sd.transpose(sd.mat2x3f(v, v)), sd.mat3x2f)
        assert_type(sd.determinant(sd.mat2x2f(1, 0, 0, 1)), f32)
        assert_type(sd.frexp(v), Frexp[vec3f, vec3i])
        assert_type(sd.frexp(a).exp, i32)
        assert_type(sd.modf(b), Modf[f16])
        assert_type(sd.ldexp(v, 3), vec3f)
        assert_type(sd.unpack2x16_float(i), vec2f)
        assert_type(sd.extract_bits(i, 8, 4), u32)
        assert_type(sd.select(0, a, a > 0), f32)
        assert_type(sd.where(v > v, v, 0), vec3f)
        assert_type(sd.any(v > v), bool_)
        assert_type(sd.is_nan(a), bool_)
        assert_type(sd.is_nan(v), vec3b)
        assert_type(sd.bitcast(a, u32), u32)
        assert_type(sd.inf(f16), f16)
        assert_type(sd.div_floor(c, 3), i32)
        assert_type(sd.mod_floor(a, 3), f32)
        assert_type(sd.tanh(v), vec3f)
        y[i] = a


def test_what_the_types_promise_is_traced() -> None:
    text = typed.ir()
    assert "frexp(%v)" in text
    assert "$safe_tanh_vec3_f32(%v)" in text


def test_nothing_unused_is_emitted() -> None:
    body = typed.wgsl().partition("@compute")[2]
    assert "tanh" not in body
    assert "exp" not in body
