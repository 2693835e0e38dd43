"""Every builtin of WGSL has a public function; each traces for every form of its overloads, and both compilers take the text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import f16, f32, i32, u32
from shaderdsl.ir.builtins import OVERLOADS, Builtin, Like, Overload, Shape, resolve, result_type
from shaderdsl.ir.types import BOOL, F16, I32, Matrix, Scalar, Struct, Type, Vector, scalar_of
from shaderdsl.lang.results import Frexp
from shaderdsl.lang.value import CLASSES, Value
from shaderdsl.runtime.validate import naga_refusal, tint_refusal

FAMILIES = 4
"""Kernels that share the builtins between them, so that no text is very long."""


def without_function(builtins: Iterable[Builtin], names: Iterable[str]) -> list[str]:
    """Builtins whose lower-case member name is not among the public names."""
    return [b.name.lower() for b in builtins if b.name.lower() not in set(names)]


def test_every_builtin_has_a_public_function_of_its_name() -> None:
    assert without_function(Builtin, sd.__all__) == []
    assert all(callable(getattr(sd, b.name.lower())) for b in Builtin)


def test_a_missing_function_is_noticed() -> None:
    names = [name for name in sd.__all__ if name != "first_leading_bit"]
    assert without_function(Builtin, names) == ["first_leading_bit"]


def test_every_public_function_says_what_it_does() -> None:
    silent = [b.name for b in Builtin if not getattr(sd, b.name.lower()).__doc__]
    assert silent == []


def bounds(overload: Overload) -> list[Type]:
    """Types that the overload's T ranges over: every component type, as a scalar, a vector or a matrix."""
    if overload.parameters[0] is not Like.SAME:
        first = overload.parameters[0]
        assert isinstance(first, Scalar | Vector)
        return [first]
    shapes: list[Type] = []
    for scalar in overload.scalars:
        match overload.shape:
            case Shape.SCALAR_OR_VECTOR:
                shapes += [scalar, Vector(3, scalar)]
            case Shape.VECTOR:
                shapes += [Vector(2, scalar), Vector(4, scalar)]
            case Shape.VECTOR3:
                shapes += [Vector(3, scalar)]
            case Shape.MATRIX:
                shapes += [Matrix(2, 3, scalar), Matrix(4, 4, scalar)]
            case Shape.SQUARE:
                shapes += [Matrix(2, 2, scalar), Matrix(3, 3, scalar)]
    return shapes


def parameters(builtin: Builtin) -> list[list[Type]]:
    """Argument types for every overload of a builtin."""
    found: list[list[Type]] = []
    for overload in OVERLOADS[builtin]:
        for bound in bounds(overload):
            types = [resolve(form, bound) for form in overload.parameters]
            found.append([t for t in types if t is not None])
    return found


def value_of(type: Type, x: f32) -> Any:
    """A traced value of any type, made from one float that nobody knows."""
    made: Any = CLASSES[type]
    match type:
        case Matrix(columns, _, _):
            return made(*[value_of(type.column, x) for _ in range(columns)])
        case Vector(size, scalar):
            return made(*[value_of(scalar, x) for _ in range(size)])
        case _ if type == BOOL:
            return x > 0.5
        case _:
            return made(x)


def number_in(value: Any, type: Type) -> f32:
    """A float that depends on the value."""
    match type:
        case Struct(_, members, _):
            return number_in(getattr(value, members[0].name), members[0].type)
        case Matrix():
            return number_in(value[0], type.column)
        case Vector(_, scalar):
            return number_in(value.x, scalar)
        case _:
            return value if isinstance(value, f32) else value.f32


def class_of(builtin: Builtin, type: Type) -> type[Value]:
    """The class of a result; frexp of f16 is made of f32's, since naga has none."""
    return Frexp if builtin is Builtin.FREXP else CLASSES[type]


def family(number: int) -> list[Builtin]:
    return list(Builtin)[number::FAMILIES]


def kernel_of(builtins: list[Builtin]) -> sd.KernelProgram:
    """One kernel that calls all of them, for all their overloads."""

    @sd.kernel
    def calls(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
        with k.each(x.n) as i:
            for builtin in builtins:
                for types in parameters(builtin):
                    result = getattr(sd, builtin.name.lower())(*[value_of(t, x[i]) for t in types])
                    expected = result_type(builtin, types)
                    assert expected is not None
                    assert isinstance(result, class_of(builtin, expected)), f"{builtin}: {result!r} is not {expected}"
                    y[i] = number_in(result, expected)

    return calls


@pytest.mark.parametrize("number", range(FAMILIES))
def test_every_overload_traces_to_its_type_and_both_compilers_take_it(number: int) -> None:
    shader = kernel_of(family(number)).shader()
    missing = [b.value for b in family(number) if f"{b.value}(" not in shader.text]
    assert missing == []
    assert naga_refusal(shader.text, [shader.entry_point]) is None
    assert tint_refusal(shader.text, [shader.entry_point]) is None


def test_overloads_are_tried_with_every_component_type() -> None:
    tried = {scalar_of(t) for builtin in Builtin for types in parameters(builtin) for t in types}
    assert {BOOL, I32, F16} < tried


@sd.kernel
def numbers(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], w: Annotated[sd.Out[u32], "n"]
) -> None:
    with k.each(x.n) as i:
        v = sd.vec3f(x[i], 2.0, 3.0)
        y[i] = sd.max(0, x[i]) + sd.min(x[i], 1) + sd.clamp(x[i], 0, 1)
        y[i] = sd.max(v, 0).x + sd.pow(2, v).y + sd.mix(v, 1, 0.5).z + sd.mix(0, v, 0.5).x
        y[i] = sd.ldexp(v, 3).x + sd.ldexp(x[i], 3) + sd.distance(x[i], 1) + sd.refract(v, v, 0.5).x
        y[i] = sd.select(0, v, x[i] > 0).x + sd.where(v > v, v, 0).y + sd.step(0.5, x[i]) + sd.fma(x[i], 2, 1)
        w[i] = sd.insert_bits(i, 7, 4, 3) + sd.insert_bits(0, i, 4, 3) + sd.dot4_u8_packed(i, 0x01010101)


def test_python_numbers_stand_beside_values() -> None:
    shader = numbers.shader()
    assert "max(0.0f, x[i])" in shader.text
    assert "mix(v, vec3f(1.0f), 0.5f)" in shader.text
    assert "ldexp(v, vec3i(3i))" in shader.text
    assert naga_refusal(shader.text, [shader.entry_point]) is None
    assert tint_refusal(shader.text, [shader.entry_point]) is None


@sd.kernel
def exchanges(k: sd.Kernel, seen: Annotated[sd.InOut[sd.Atomic[u32]], "n"], old: Annotated[sd.Out[u32], "n"]) -> None:
    with k.each(seen.n) as i:
        result = seen[i].compare_exchange_weak(0, i + 1)
        old[i] = sd.where(result.exchanged, result.old_value, 99)


def test_a_compare_exchange_gives_a_value_with_members() -> None:
    shader = exchanges.shader()
    assert "let result = atomicCompareExchangeWeak(&seen[i], 0u, i + 1u);" in shader.text
    assert "select(99u, result.old_value, result.exchanged)" in shader.text
    assert naga_refusal(shader.text, [shader.entry_point]) is None
    assert tint_refusal(shader.text, [shader.entry_point]) is None


@sd.kernel
def parts(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], h: Annotated[sd.In[f16], "n"], y: Annotated[sd.Out[f32], "n"]
) -> None:
    with k.each(x.n) as i:
        split = sd.frexp(sd.vec2f(x[i], x[i]))
        y[i] = sd.ldexp(split.fract, split.exp).x + sd.modf(h[i]).whole.f32


def test_the_parts_of_a_float_are_named_members() -> None:
    shader = parts.shader()
    assert "let split = frexp(vec2f(x[i], x[i]));" in shader.text
    assert "ldexp(split.fract, split.exp).x + f32(modf(h[i]).whole)" in shader.text


def test_results_with_members_run(executor_name: str) -> None:
    result = exchanges(np.array([0, 5, 0, 7], np.uint32), device=executor_name)
    assert result["seen"].tolist() == [1, 5, 3, 7]
    assert result["old"].tolist() == [0, 99, 0, 99]


@pytest.mark.parametrize("device", ["interpreter", "wgpu"])
def test_the_parts_make_the_whole(device: str) -> None:
    x = np.array([0, 5, -0.375, 7], np.float32)
    h = np.array([1.5, -2.5, 0, 7], np.float16)
    assert parts(x, h, device=device).tolist() == (x + np.trunc(h)).tolist()


@sd.kernel
def half_parts(
    k: sd.Kernel, h: Annotated[sd.In[f16], "n"], fract: Annotated[sd.Out[f16], "n"], exp: Annotated[sd.Out[i32], "n"]
) -> None:
    with k.each(h.n) as i:
        split = sd.frexp(h[i])
        fract[i] = split.fract
        exp[i] = split.exp


@pytest.mark.parametrize("device", ["interpreter", "wgpu"])
def test_frexp_of_halves_is_exact_even_for_subnormals(device: str) -> None:
    h = np.array([0, 1, -0.375, 65504, 2.0**-24, 3 * 2.0**-23], np.float16)
    result = half_parts(h, device=device)
    fract, exponent = np.frexp(h.astype(np.float64))
    assert result["fract"].astype(np.float64).tolist() == fract.tolist()
    assert result["exp"].tolist() == exponent.tolist()


@sd.function
def shaped(x: f32) -> f32:
    bent = sd.tanh(x)
    return sd.where(sd.is_nan(bent), 7, sd.silu(bent))


@sd.kernel
def through_function(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = shaped(x[i]) + sd.tanh(x[i])


def test_functions_of_the_user_share_the_emitted_ones(executor_name: str) -> None:
    text = through_function.wgsl()
    heads = [line.partition("(")[0] for line in text.splitlines() if line.startswith("fn ")]
    assert heads == ["fn safe_tanh", "fn sigmoid", "fn silu", "fn shaped", "fn through_function"]
    assert through_function(np.array([0, np.nan], np.float32), device=executor_name)[0] == 0
