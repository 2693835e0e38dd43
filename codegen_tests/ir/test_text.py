"""The IR as text: whole kernels, every class of expression and statement, names that cannot be confused, any depth."""

from __future__ import annotations

from typing import Annotated, Any, get_args

import pytest

import shaderdsl as sd
from shaderdsl import f16, f32, i32, u32
from shaderdsl.ir import build
from shaderdsl.ir import expr as exprs
from shaderdsl.ir import stmt as stmts
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import (
    AddressSpace,
    Binary,
    Bitcast,
    Call,
    Const,
    Construct,
    Convert,
    Element,
    Expr,
    Input,
    Load,
    Member,
    MemberOf,
    Read,
    ReadInput,
    ReadParam,
    Slot,
    Swizzle,
    Unary,
    Variable,
    Whole,
)
from shaderdsl.ir.expr_text import ExprText
from shaderdsl.ir.kernel import Domain, DomainKind, Kernel
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.stmt import (
    Assert,
    AtomicCall,
    AtomicOp,
    Barrier,
    BarrierKind,
    Block,
    Break,
    CallFunction,
    Collective,
    CollectiveOp,
    Continue,
    Declare,
    Function,
    If,
    Let,
    Loop,
    Print,
    Range,
    Return,
    Stmt,
    Store,
    UniformLoad,
)
from shaderdsl.ir.stmt_text import block_lines
from shaderdsl.ir.text import kernel_text
from shaderdsl.ir.text_names import TextNames
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Array, Atomic, Struct, Type, Vector
from shaderdsl.ir.types import Member as TypeMember


@sd.kernel(workgroup_size=64)
def scale(
    k: sd.Kernel, x: Annotated[sd.In[f32], "rows, cols"], y: Annotated[sd.Out[f32], "rows, cols"], a: sd.Param[f32]
) -> None:
    with k.each_group(x.rows) as row:
        for c in k.range(k.local_index, x.cols, 64):
            with k.if_(x[row, c] > 0):
                y[row, c] = x[row, c] * a
            with k.else_():
                y[row, c] = sd.tanh(a)


SCALE = """\
kernel scale
  workgroup_size 64, 1, 1
  domain each_group(param.rows)
  buffer @x: array<f32> [rows, cols] In, group 0 binding 0
  buffer @y: array<f32> [rows, cols] Out, group 0 binding 1, written
  uniform @params: Params {a: f32, rows: u32, cols: u32}, params a, axes rows cols, group 0 binding 2
function $safe_tanh(%x: f32) -> f32
  %0: u32 = bitcast<u32>(%x)
  %1: u32 = %0 & 2147483647u
  %2: bool = %1 > 2139095040u
  %3: f32 = clamp(%x, -20.0f, 20.0f)
  %4: f32 = tanh(%3)
  %5: f32 = select(%4, %x, %2)
  return %5
body
  %0: u32 = input.workgroup_id.y * input.num_workgroups.x
  %row: u32 = input.workgroup_id.x + %0
  %1: bool = %row >= param.rows
  if %1
    return
  for %c: u32 in range(input.local_invocation_index, param.cols, 64u)
    %2: u32 = %row * param.cols
    %3: u32 = %2 + %c
    %4: f32 = @x[%3]
    %5: bool = %4 > 0.0f
    if %5
      %6: u32 = %row * param.cols
      %7: u32 = %6 + %c
      %8: f32 = @x[%7]
      %9: f32 = %8 * param.a
      %10: u32 = %row * param.cols
      %11: u32 = %10 + %c
      @y[%11] = %9
    else
      %12: f32 = $safe_tanh(param.a)
      %13: u32 = %row * param.cols
      %14: u32 = %13 + %c
      @y[%14] = %12
"""


@sd.struct
class Particle:
    position: sd.vec3f
    charge: i32


@sd.kernel(workgroup_size=(8, 8), entry_point="main", directives=["diagnostic(off, derivative_uniformity)"])
def mixed(
    k: sd.Kernel,
    p: Annotated[sd.InOut[Particle], "n"],
    h: Annotated[sd.In[f16], "4"],
    bins: Annotated[sd.InOut[sd.Atomic[u32]], "8"],
) -> None:
    tile = k.shared(f32, 64)
    weights = k.table(f32, [0.1, 1e-30])
    tile[k.local_index] = p[0].position.x * weights[k.local_index % 2]
    k.barrier()
    total = k.var(f32(0))
    with k.loop():
        total += tile[0]
        k.break_if(total.value > 1)
    bins[1].add(1)
    p.at(0).charge.value = h[3].i32
    k.print("total={}", total.value)


MIXED = """\
kernel mixed entry main
  diagnostic(off, derivative_uniformity);
  workgroup_size 8, 8, 1
  domain free()
  buffer @p: array<Particle> [n] InOut, group 0 binding 0, written
  buffer @h: array<f16> [4] In, group 0 binding 1
  buffer @bins: array<atomic<u32>> [8] InOut, group 0 binding 2, written
  workgroup @tile: array<f32, 64>
  const @weights: array<f32, 2> = array<f32, 2>{0.1f, 1e-30f}
  struct Particle {position: vec3<f32>, charge: i32}
body
  %0: Particle = @p[0u]
  %1: vec3<f32> = %0.position
  %2: f32 = %1.x
  %3: u32 = input.local_invocation_index % 2u
  %4: f32 = @weights[%3]
  %5: f32 = %2 * %4
  @tile[input.local_invocation_index] = %5
  workgroupBarrier()
  var @total: f32 = 0.0f
  loop
    %6: f32 = @tile[0u]
    %7: f32 = @total
    %8: f32 = %7 + %6
    @total = %8
    %9: f32 = @total
    %10: bool = %9 > 1.0f
    if %10
      break
  %11: u32 = atomicAdd(@bins[1u], 1u)
  %12: f16 = @h[3u]
  %13: i32 = i32(%12)
  @p[0u].charge = %13
  %14: f32 = @total
  print 'total={}', %14
"""


@pytest.mark.parametrize(("kernel", "text"), [(scale, SCALE), (mixed, MIXED)], ids=["scale", "mixed"])
def test_a_whole_kernel(kernel: sd.KernelProgram, text: str) -> None:
    assert kernel.ir() == text


A, B, V, S = Slot("a", F32), Slot("b", F32), Slot("v", Vector(3, F32)), Slot("s", I32)
PAIR = Struct("Pair", (TypeMember("left", F32), TypeMember("right", I32)))
MEMORY = Variable("m", Array(PAIR, 4), AddressSpace.PRIVATE, None)
COUNTS = Variable("counts", Array(Atomic(U32), 4), AddressSpace.WORKGROUP, None)
ONE = Const(1.0, F32, None)


def read(slot: Slot) -> Read:
    return Read(slot, slot.type, None)


def add(left: Expr, right: Expr) -> Binary:
    return build.binary(BinaryOp.ADD, left, right, None)


def whole(variable: Variable) -> Whole:
    return Whole(variable, variable.type)


def left_of(index: Expr) -> MemberOf:
    return build.member_of(build.element_of(whole(MEMORY), index, None), "left", None)


def count_at(index: int) -> exprs.ElementOf:
    return build.element_of(whole(COUNTS), build.constant_index(index), None)


EXPRESSIONS: list[tuple[Expr, str]] = [
    (Const(True, BOOL, None), "true"),
    (Const(-5, I32, None), "-5i"),
    (Const(0.0999755859375, F16, None), "0.1h"),
    (Const(0.10000000149011612, F32, None), "0.1f"),
    (Const(16777216.0, F32, None), "16777216.0f"),
    (Const(3.4028234663852886e38, F32, None), "3.4028235e+38f"),
    (read(A), "%a"),
    (ReadInput(Input.WORKGROUP_ID, Vector(3, U32), None), "input.workgroup_id"),
    (ReadParam("n", U32, None), "param.n"),
    (Load(left_of(add_i := build.binary(BinaryOp.ADD, read(S), read(S), None)), F32, None), "@m[%s + %s].left"),
    (build.unary(UnaryOp.NEGATE, ONE, None), "-(1.0f)"),
    (Const(-1.0, F32, None), "-1.0f"),
    (build.unary(UnaryOp.NEGATE, add(read(A), read(B)), None), "-(%a + %b)"),
    (add(add(read(A), read(B)), build.unary(UnaryOp.NEGATE, ONE, None)), "(%a + %b) + (-(1.0f))"),
    (add(read(A), add(read(B), ONE)), "%a + (%b + 1.0f)"),
    (build.call(Builtin.MAX, [add(read(A), ONE), read(B)], None), "max(%a + 1.0f, %b)"),
    (build.convert(add_i, F32, None), "f32(%s + %s)"),
    (build.bitcast(read(A), U32, None), "bitcast<u32>(%a)"),
    (build.construct(Vector(2, F32), [read(A), ONE], None), "vec2<f32>{%a, 1.0f}"),
    (build.swizzle(build.binary(BinaryOp.MUL, read(V), read(A), None), (2, 0), None), "(%v * %a).zx"),
    (build.member(build.construct(PAIR, [ONE, read(S)], None), "left", None), "Pair{1.0f, %s}.left"),
    (build.element(read(V), add_i, None), "%v[%s + %s]"),
]

HELPER = Function("half", (A,), F32, (Return(ONE, None),), True, None)
STATEMENTS: list[tuple[Stmt, list[str]]] = [
    (Let(Slot("t", F32), ONE, None), ["%t: f32 = 1.0f"]),
    (Let(Slot(None, F32), ONE, None), ["%0: f32 = 1.0f"]),
    (Declare(Variable("d", F32, AddressSpace.FUNCTION, None), None, None), ["var @d: f32"]),
    (Declare(Variable("d", F32, AddressSpace.FUNCTION, None), ONE, None), ["var @d: f32 = 1.0f"]),
    (Store(left_of(read(S)), ONE, None), ["@m[%s].left = 1.0f"]),
    (If(read(Slot("c", BOOL)), (Break(None),), (), None), ["if %c", "  break"]),
    (
        If(read(Slot("c", BOOL)), (), (If(read(Slot("d", BOOL)), (), (Continue(None),), None),), None),
        ["if %c", "elif %d", "else", "  continue"],
    ),
    (
        Range(Slot("i", I32), Const(9, I32, None), read(S), Const(-1, I32, None), (Continue(None),), None),
        ["for %i: i32 in range(9i, %s, -1i)", "  continue"],
    ),
    (Loop((Break(None),), None), ["loop", "  break"]),
    (Break(None), ["break"]),
    (Continue(None), ["continue"]),
    (Return(None, None), ["return"]),
    (Return(ONE, None), ["return 1.0f"]),
    (Barrier(BarrierKind.STORAGE, None), ["storageBarrier()"]),
    (UniformLoad(Slot("u", F32), left_of(read(S)), None), ["%u: f32 = workgroupUniformLoad(@m[%s].left)"]),
    (AtomicCall(None, AtomicOp.STORE, count_at(1), (build.constant_index(2),), None), ["atomicStore(@counts[1u], 2u)"]),
    (AtomicCall(Slot("o", U32), AtomicOp.LOAD, count_at(1), (), None), ["%o: u32 = atomicLoad(@counts[1u])"]),
    (CallFunction(Slot("f", F32), HELPER, (ONE,), None), ["%f: f32 = $half(1.0f)"]),
    (CallFunction(None, HELPER, (ONE,), None), ["$half(1.0f)"]),
    (Collective(Slot("g", F32), CollectiveOp.SUM, read(A), None, None), ["%g: f32 = group_sum(%a)"]),
    (
        Collective(Slot("g", F32), CollectiveOp.BROADCAST, read(A), build.constant_index(3), None),
        ["%g: f32 = group_broadcast(%a, 3u)"],
    ),
    (Print("a={}", (read(A),), None), ["print 'a={}', %a"]),
    (Assert(read(Slot("c", BOOL)), "it holds", None), ["assert %c, 'it holds'"]),
]


@pytest.mark.parametrize(("expr", "text"), EXPRESSIONS, ids=[text for _, text in EXPRESSIONS])
def test_an_expression(expr: Expr, text: str) -> None:
    assert ExprText(TextNames()).text(expr) == text


@pytest.mark.parametrize(("stmt", "lines"), STATEMENTS, ids=[" ".join(lines) for _, lines in STATEMENTS])
def test_a_statement(stmt: Stmt, lines: list[str]) -> None:
    assert block_lines((stmt,), ExprText(TextNames())) == ["  " + line for line in lines]


def absent(union: Any, shown: list[Any]) -> list[str]:
    """Classes of a union that no case shows."""
    return [cls.__name__ for cls in get_args(union) if not any(type(node) is cls for node in shown)]


def test_every_class_is_shown() -> None:
    assert absent(exprs.Expr, [e for e, _ in EXPRESSIONS]) == []
    assert absent(stmts.Stmt, [s for s, _ in STATEMENTS]) == []


def test_a_class_that_is_not_shown_is_noticed() -> None:
    shown = [e for e, _ in EXPRESSIONS if not isinstance(e, Swizzle)]
    assert absent(exprs.Expr, shown) == ["Swizzle"]


def test_texts_of_different_expressions_differ() -> None:
    texts = [text for _, text in EXPRESSIONS]
    assert len(set(texts)) == len(texts)
    classes = {Const, Call, Construct, Convert, Bitcast, Element, Member, Unary}
    assert classes < {type(e) for e, _ in EXPRESSIONS}


def kernel_with(body: Block) -> Kernel:
    return Kernel("k", "k", (1, 1, 1), (), None, (), (), body, Domain(DomainKind.FREE), (), None)


def test_names_that_meet_are_told_apart() -> None:
    slots = [Slot("t", F32), Slot("t", F32), Slot(None, F32)]
    lines = kernel_text(kernel_with(tuple(Let(s, ONE, None) for s in slots))).splitlines()
    assert lines[-3:] == ["  %t: f32 = 1.0f", "  %t.1: f32 = 1.0f", "  %0: f32 = 1.0f"]


def test_structures_of_one_name_are_told_apart() -> None:
    other = Struct("Pair", (TypeMember("left", U32),))
    types: list[Type] = [PAIR, other]
    text = kernel_text(
        kernel_with(tuple(Declare(Variable("v", t, AddressSpace.FUNCTION, None), None, None) for t in types))
    )
    assert "  struct Pair {left: f32, right: i32}\n  struct Pair.1 {left: u32}\n" in text
    assert "  var @v: Pair\n  var @v.1: Pair.1\n" in text


def test_the_text_is_the_same_each_time() -> None:
    kernel = scale.trace()
    assert kernel_text(kernel) == kernel_text(kernel)


def test_depth_is_no_matter() -> None:
    deep: Expr = read(A)
    for _ in range(5000):
        deep = add(deep, ONE)
    chain = If(read(Slot("c", BOOL)), (), (), None)
    nested: Stmt = Return(deep, None)
    for _ in range(2000):
        chain = If(chain.condition, (), (chain,), None)
        nested = Loop((nested,), None)
    lines = kernel_text(kernel_with((chain, nested))).splitlines()
    assert lines.count("  elif %c") == 2000
    assert lines[-1].endswith("(" * 4999 + "%a + 1.0f" + ") + 1.0f" * 4999)
