"""`f32(x)` of a float is the float: derivations see through it, where `f32` of a whole number ends a gradient.

y[i] = f32(x[i]) ** 2        d_x[i] = 2 * x[i] * d_y[i]
"""

from __future__ import annotations

from dataclasses import replace

from shaderdsl.spec.dtypes import kind_of, stage_dtypes
from shaderdsl.spec.notation import Dtype, Function, OpSpec, Scalar
from shaderdsl.spec.rewrite import rebuilt, with_scalars


def without_casts(spec: OpSpec) -> OpSpec:
    """`spec` without conversions of what is a float already."""
    dtypes = stage_dtypes(spec)

    def bare(scalar: Scalar) -> Scalar:
        inner = rebuilt(scalar, bare)
        if isinstance(inner, Function) and inner.name == "f32" and kind_of(inner.arguments[0], dtypes) is Dtype.F32:
            return inner.arguments[0]
        return inner

    return replace(spec, stages=tuple(with_scalars(s, bare) for s in spec.stages))
