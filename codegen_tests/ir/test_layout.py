"""The layout engine against the WGSL specification's table, random structures against the rules, and bytes that both devices read back."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shaderdsl as sd
from shaderdsl import f16, f32, i32, u32
from shaderdsl.errors import InternalError
from shaderdsl.ir.layout import (
    align_of,
    host_shareable,
    need_runtime,
    round_up,
    size_of,
    stride_of,
    struct_layout,
    uniform_fault,
    uniform_members,
    workgroup_bytes,
)
from shaderdsl.ir.types import (
    BOOL,
    F16,
    F32,
    I32,
    U32,
    Array,
    Atomic,
    Matrix,
    Member,
    RuntimeArray,
    Scalar,
    Struct,
    Type,
    Vector,
)
from shaderdsl.numeric.host import struct_dtype

# type, alignment, size: the table of the WGSL specification, section "Alignment and Size"
TABLE: list[tuple[Type, int, int]] = [
    *[(s, 4, 4) for s in (I32, U32, F32)],
    (F16, 2, 2),
    (Atomic(I32), 4, 4),
    (Atomic(U32), 4, 4),
    *[(Vector(2, s), 8, 8) for s in (I32, U32, F32)],
    *[(Vector(3, s), 16, 12) for s in (I32, U32, F32)],
    *[(Vector(4, s), 16, 16) for s in (I32, U32, F32)],
    (Vector(2, F16), 4, 4),
    (Vector(3, F16), 8, 6),
    (Vector(4, F16), 8, 8),
    (Matrix(2, 2, F32), 8, 16),
    (Matrix(2, 2, F16), 4, 8),
    (Matrix(3, 2, F32), 8, 24),
    (Matrix(3, 2, F16), 4, 12),
    (Matrix(4, 2, F32), 8, 32),
    (Matrix(4, 2, F16), 4, 16),
    (Matrix(2, 3, F32), 16, 32),
    (Matrix(2, 3, F16), 8, 16),
    (Matrix(3, 3, F32), 16, 48),
    (Matrix(3, 3, F16), 8, 24),
    (Matrix(4, 3, F32), 16, 64),
    (Matrix(4, 3, F16), 8, 32),
    (Matrix(2, 4, F32), 16, 32),
    (Matrix(2, 4, F16), 8, 16),
    (Matrix(3, 4, F32), 16, 48),
    (Matrix(3, 4, F16), 8, 24),
    (Matrix(4, 4, F32), 16, 64),
    (Matrix(4, 4, F16), 8, 32),
    (Array(F32, 3), 4, 12),
    (Array(Vector(3, F32), 3), 16, 48),
    (Array(Vector(3, F16), 2), 8, 16),
    (Array(Matrix(3, 3, F32), 2), 16, 96),
    (Array(Array(F32, 3), 2), 4, 24),
    (RuntimeArray(Vector(3, F32)), 16, 16),
    (RuntimeArray(F16), 2, 2),
]


@pytest.mark.parametrize(("type", "align", "size"), TABLE, ids=[str(t) for t, _, _ in TABLE])
def test_the_specifications_table(type: Type, align: int, size: int) -> None:
    assert (align_of(type), size_of(type)) == (align, size)
    assert stride_of(type) == round_up(size, align)


def struct(*types: Type, name: str = "S") -> Struct:
    return Struct(name, tuple(Member(f"m{i}", t) for i, t in enumerate(types)))


# The specification's example, section "Structure Member Layout"
A = struct(F32, F32, Vector(2, F32), Vector(3, F32), F32, name="A")
B = struct(Vector(2, F32), Vector(3, F32), F32, F32, A, Array(A, 3), I32, name="B")


def test_the_specifications_examples() -> None:
    """Without its size and align attributes: A is u, v, w, x, then a float in the hole after x."""
    assert struct_layout(A).offsets == (0, 4, 8, 16, 28)
    assert (align_of(A), size_of(A)) == (16, 32)
    assert struct_layout(B).offsets == (0, 16, 28, 32, 48, 80, 176)
    assert (align_of(B), size_of(B)) == (16, 192)


def test_bytes_of_workgroup_memory_count_in_sixteens() -> None:
    assert workgroup_bytes([F32, BOOL, Array(F32, 5), Vector(3, F32)]) == 16 + 16 + 32 + 16
    assert workgroup_bytes([]) == 0


def test_what_may_be_shared_with_the_host() -> None:
    assert not host_shareable(BOOL)
    assert not host_shareable(Vector(2, BOOL))
    assert not host_shareable(struct(F32, Array(Vector(2, BOOL), 2)))
    assert not host_shareable(Struct("__frexp_result_f32", (Member("fract", F32),), builtin=True))
    assert host_shareable(struct(F32, Array(Atomic(U32), 2), RuntimeArray(F16)))


def test_only_a_runtime_array_is_a_storage_buffer() -> None:
    assert need_runtime(RuntimeArray(F32)) == RuntimeArray(F32)
    with pytest.raises(InternalError, match="is not a storage buffer's type"):
        need_runtime(F32)


@st.composite
def plain_types(draw: st.DrawFn) -> Type:
    scalar = draw(st.sampled_from([F32, F16, I32, U32]))
    floating = draw(st.sampled_from([F32, F16]))
    sizes = st.integers(2, 4)
    return draw(
        st.one_of(
            st.just(scalar),
            st.builds(Vector, sizes, st.just(scalar)),
            st.builds(Matrix, sizes, sizes, st.just(floating)),
        )
    )


def named(types: list[Type]) -> Struct:
    return struct(*types, name=f"S{len(types)}")


types_of_members: st.SearchStrategy[Type] = st.recursive(
    plain_types(),
    lambda inner: st.one_of(
        st.builds(Array, inner, st.integers(1, 3)), st.lists(inner, min_size=1, max_size=4).map(named)
    ),
    max_leaves=8,
)


@given(st.lists(types_of_members, min_size=1, max_size=6))
def test_structures_follow_the_rules(types: list[Type]) -> None:
    """Members in order, aligned, apart, and not further apart than alignment asks; numpy's record has the same numbers."""
    made = struct(*types)
    layout = struct_layout(made)
    end = 0
    for kind, offset in zip(types, layout.offsets):
        assert offset % align_of(kind) == 0
        assert 0 <= offset - end < align_of(kind)
        end = offset + size_of(kind)
    assert layout.size % align_of(made) == 0
    assert 0 <= layout.size - end < align_of(made)
    record = struct_dtype(made)
    assert record.itemsize == layout.size
    fields: Any = record.fields
    assert [fields[m.name][1] for m in made.members] == list(layout.offsets)
    for member in made.members:
        assert record[member.name].itemsize <= round_up(size_of(member.type), align_of(member.type))


SMALL = struct(F32, name="Small")
WIDE = struct(Vector(4, F32), name="Wide")
LONG = struct(Vector(4, F32), F32, name="Long")
FAULTS: list[tuple[Type, str | None]] = [
    (F32, None),
    (Vector(3, F16), None),
    (Matrix(3, 3, F32), None),
    (Matrix(2, 2, F16), None),
    (Array(Vector(4, F32), 3), None),
    (Array(Vector(3, I32), 3), None),
    (Array(Matrix(2, 2, F32), 2), None),
    (Array(F32, 4), "array<f32, 4> has a stride of 4 bytes, and uniform memory asks for a multiple of 16"),
    (Array(Vector(2, F32), 2), "array<vec2<f32>, 2> has a stride of 8 bytes"),
    (Array(Matrix(3, 2, F32), 2), "array<mat3x2<f32>, 2> has a stride of 24 bytes"),
    (Array(Array(F32, 4), 2), "array<f32, 4> has a stride of 4 bytes"),
    (Array(SMALL, 2), "array<Small, 2> has a stride of 4 bytes"),
    (Array(WIDE, 2), None),
    (struct(F32, WIDE), None),
    (struct(WIDE, F32), None),
    (struct(LONG, F32), None),
    (struct(SMALL, F32), "member m0 of S does not fill a multiple of 16 bytes"),
    (struct(F32, SMALL), "member m1 of S does not fill a multiple of 16 bytes"),
    (struct(WIDE, SMALL), None),
    (struct(F32, Array(F32, 4)), "array<f32, 4> has a stride of 4 bytes"),
    (struct(F32, Array(Vector(4, F32), 2)), None),
    (struct(struct(SMALL, F32, name="T")), "member m0 of T does not fill a multiple of 16 bytes"),
    (RuntimeArray(F32), "array<f32> cannot lie in uniform memory"),
    (Atomic(U32), "atomic<u32> cannot lie in uniform memory"),
    (struct(Atomic(I32)), "atomic<i32> cannot lie in uniform memory"),
]


@pytest.mark.parametrize(("type", "reason"), FAULTS, ids=[f"{n}-{t}" for n, (t, _) in enumerate(FAULTS)])
def test_what_may_lie_in_uniform_memory(type: Type, reason: str | None) -> None:
    found = uniform_fault(type)
    assert found is None if reason is None else reason in (found or "")


uniform_types = types_of_members.filter(lambda t: uniform_fault(t) is None)


@given(st.lists(uniform_types, min_size=1, max_size=8))
def test_parameters_may_stand_in_any_order(types: list[Type]) -> None:
    """Whatever may lie in uniform memory alone may lie in it beside others: padding goes in between, and no more than needed."""
    members = struct(*types).members
    placed = uniform_members(members)
    assert [m for m in placed if m in members] == list(members)
    assert uniform_fault(Struct("Params", placed)) is None
    assert len({m.name for m in placed}) == len(placed)
    if uniform_fault(Struct("Params", members)) is None:
        assert placed == members


def test_padding_is_needed_and_has_a_free_name() -> None:
    members = (Member("padding", F32), Member("p", struct(F32, F32)), Member("q", F32))
    assert uniform_fault(Struct("Params", members)) is not None
    words = ["padding_1", "padding_2", "padding_3"]
    assert [m.name for m in uniform_members(members)] == ["padding", *words, "p", "padding_4", "q"]


@sd.struct
class Pair:
    left: f32
    right: f32


@sd.struct
class Long:
    wide: sd.vec4f
    last: f32


@sd.kernel
def beside(
    k: sd.Kernel,
    out: Annotated[sd.Out[f32], "n"],
    a: sd.Param[f32],
    p: sd.Param[Pair],
    b: sd.Param[f32],
    q: sd.Param[Pair],
    r: sd.Param[Long],
    c: sd.Param[f32],
    padding: sd.Param[f32],
) -> None:
    with k.each(out.n) as _:
        for position, value in enumerate([a, p.left, p.right, b, q.right, r.wide.w, r.last, c, padding]):
            out[position] = value


def test_structures_among_scalars_arrive(executor_name: str) -> None:
    p, q, r = (np.zeros((), sd.dtype(t)) for t in (Pair, Pair, Long))
    p["left"], p["right"], q["right"], r["wide"], r["last"] = 2, 3, 5, [0, 0, 0, 6], 7
    out = beside(1, p, 4, q, r, 8, 9, device=executor_name, axes={"n": 9})
    assert out.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9]


@sd.struct
class Inner:
    where: sd.vec3f
    weight: f32


@sd.struct
class Everything:
    a: f32
    b: sd.vec2i
    c: sd.vec3u
    d: u32
    e: sd.mat3x3f
    f: Annotated[sd.Array[sd.vec3f], 2]
    g: sd.mat2x2f
    h: Annotated[sd.Array[i32], 3]
    i: Inner
    j: Annotated[sd.Array[Inner], 2]
    k: i32
    l: sd.mat4x3f  # noqa: E741
    m: sd.vec4f
    n: sd.mat3x2f


WORDS = 85


@sd.kernel
def read_everything(k: sd.Kernel, s: Annotated[sd.In[Everything], "n"], out: Annotated[sd.Out[f32], "n, 85"]) -> None:
    """Every scalar of every member, in order."""
    with k.each(s.n) as at:
        v = s[at]
        scalars: list[Any] = [v.a, v.b.x.f32, v.b.y.f32, v.c.x.f32, v.c.y.f32, v.c.z.f32, v.d.f32]
        scalars += [v.e[c][r] for c in range(3) for r in range(3)]
        scalars += [v.f[n][r] for n in range(2) for r in range(3)]
        scalars += [v.g[c][r] for c in range(2) for r in range(2)]
        scalars += [v.h[n].f32 for n in range(3)]
        scalars += [v.i.where[r] for r in range(3)] + [v.i.weight]
        for n in range(2):
            scalars += [v.j[n].where[r] for r in range(3)] + [v.j[n].weight]
        scalars += [v.k.f32]
        scalars += [v.l[c][r] for c in range(4) for r in range(3)]
        scalars += [v.m[r] for r in range(4)]
        scalars += [v.n[c][r] for c in range(3) for r in range(2)]
        for position, value in enumerate(scalars):
            out[at, position] = value


def flat(record: Any) -> list[float]:
    """The scalars of a record in order, without padding."""
    parts: list[Any] = [record["a"], record["b"], record["c"], record["d"], record["e"][:, :3], record["f"][:, :3]]
    parts += [record["g"], record["h"], record["i"]["where"], record["i"]["weight"]]
    for n in range(2):
        parts += [record["j"][n]["where"], record["j"][n]["weight"]]
    parts += [record["k"], record["l"][:, :3], record["m"], record["n"]]
    return [float(x) for part in parts for x in np.asarray(part).reshape(-1)]


def filled(dtype: np.dtype[Any], count: int) -> np.ndarray:
    """Records whose numbers all differ; padding is poison."""
    made = np.zeros(count, dtype)
    made.view(np.uint8)[:] = 0xAA
    rng = np.random.default_rng(11)
    fill(made, rng)
    return made


def fill(array: np.ndarray, rng: np.random.Generator) -> None:
    for name in array.dtype.names or ():
        part = array[name]
        if part.dtype.names:
            fill(part, rng)
        else:
            part[...] = (
                rng.integers(-1000, 1000, part.shape) if part.dtype.kind != "u" else rng.integers(0, 1000, part.shape)
            )


def test_every_member_is_read_where_the_host_put_it(executor_name: str) -> None:
    records = filled(sd.dtype(Everything), 3)
    out = read_everything(records, device=executor_name)
    expected = [flat(record) for record in records]
    assert len(expected[0]) <= WORDS
    assert out[:, : len(expected[0])].tolist() == expected


@sd.struct
class Halves:
    a: f16
    b: sd.vec3h
    c: f16
    d: f32
    e: sd.mat2x3h
    f: Annotated[sd.Array[f16], 3]
    g: sd.vec2h
    h: sd.mat3x2h


@sd.kernel
def read_halves(k: sd.Kernel, s: Annotated[sd.InOut[Halves], "n"], out: Annotated[sd.Out[f32], "n, 25"]) -> None:
    with k.each(s.n) as at:
        v = s[at]
        scalars: list[Any] = [v.a.f32, *(v.b[r].f32 for r in range(3)), v.c.f32, v.d]
        scalars += [v.e[c][r].f32 for c in range(2) for r in range(3)]
        scalars += [v.f[n].f32 for n in range(3)]
        scalars += [v.g.x.f32, v.g.y.f32]
        scalars += [v.h[c][r].f32 for c in range(3) for r in range(2)]
        for position, value in enumerate(scalars):
            out[at, position] = value
        s.at(at).b.z = v.c
        s.at(at).e[1] = v.b


@pytest.mark.parametrize("executor", ["wgpu", "interpreter"])
def test_halves_are_packed(executor: str) -> None:
    records = filled(sd.dtype(Halves), 3)
    result = read_halves(records, device=executor)
    for record, row, after in zip(records, result["out"], result["s"]):
        parts = [
            record["a"],
            record["b"],
            record["c"],
            record["d"],
            record["e"][:, :3],
            record["f"],
            record["g"],
            record["h"],
        ]
        expected = [float(x) for part in parts for x in np.asarray(part).reshape(-1)]
        assert row[: len(expected)].tolist() == expected
        assert after["b"].tolist() == [*record["b"][:2].tolist(), float(record["c"])]
        assert after["e"][:, :3].tolist() == [record["e"][0, :3].tolist(), record["b"].tolist()]


@sd.kernel
def uniforms(
    k: sd.Kernel,
    out: Annotated[sd.Out[f32], "60"],
    on: sd.Param[sd.bool_],
    a: sd.Param[sd.vec3f],
    b: sd.Param[f32],
    c: sd.Param[sd.mat3x3f],
    d: sd.Param[i32],
    e: sd.Param[Annotated[sd.Array[sd.vec3f], 2]],
    f: sd.Param[sd.vec2u],
    g: sd.Param[Inner],
    h: sd.Param[sd.mat4x2f],
    i: sd.Param[sd.vec4i],
    j: sd.Param[u32],
) -> None:
    with k.each(1) as _:
        scalars: list[Any] = [on.u32.f32, *(a[r] for r in range(3)), b]
        scalars += [c[n][r] for n in range(3) for r in range(3)]
        scalars += [d.f32, *(e[n][r] for n in range(2) for r in range(3)), f.x.f32, f.y.f32]
        scalars += [*(g.where[r] for r in range(3)), g.weight]
        scalars += [h[n][r] for n in range(4) for r in range(2)]
        scalars += [*(i[r].f32 for r in range(4)), j.f32]
        for position, value in enumerate(scalars):
            out[position] = value


def test_parameters_of_every_type_arrive(executor_name: str) -> None:
    rng = np.random.default_rng(2)
    inner = np.zeros((), sd.dtype(Inner))
    inner["where"], inner["weight"] = [1, 2, 3], 4
    given: list[Any] = [
        True,
        [1.5, -2.5, 3.5],
        0.25,
        rng.integers(-9, 9, (3, 3)).astype(np.float32),
        -77,
        rng.integers(-9, 9, (2, 3)).astype(np.float32),
        [4, 5],
        inner,
        rng.integers(-9, 9, (4, 2)).tolist(),
        np.array([1, -2, 3, -4], np.int64),
        np.uint8(200),
    ]
    parts = [*given[:7], [1, 2, 3], 4, *given[8:]]
    expected = [float(x) for part in parts for x in np.asarray(part).reshape(-1)]
    out = uniforms(*given, device=executor_name)
    assert out[: len(expected)].tolist() == expected


@sd.kernel
def half_uniforms(
    k: sd.Kernel,
    out: Annotated[sd.Out[f32], "12"],
    a: sd.Param[f16],
    b: sd.Param[sd.vec3h],
    c: sd.Param[f16],
    d: sd.Param[sd.mat2x3h],
) -> None:
    with k.each(1) as _:
        scalars = [a.f32, *(b[r].f32 for r in range(3)), c.f32, *(d[n][r].f32 for n in range(2) for r in range(3))]
        for position, value in enumerate(scalars):
            out[position] = value


@pytest.mark.parametrize("executor", ["wgpu", "interpreter"])
def test_half_parameters_arrive(executor: str) -> None:
    out = half_uniforms(0.1, [1, 2, 3], -65504, [[4, 5, 6], [7, 8, 0.5]], device=executor)
    assert out[:11].tolist() == [float(np.float16(0.1)), 1, 2, 3, -65504, 4, 5, 6, 7, 8, 0.5]


def test_every_scalar_has_a_size() -> None:
    for scalar in (BOOL, I32, U32, F32, F16):
        assert isinstance(scalar, Scalar)
        assert size_of(scalar) == (2 if scalar == F16 else 4)
