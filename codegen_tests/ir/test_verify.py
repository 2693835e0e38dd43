"""verify.fault: each rule has a kernel that breaks it, and the golden kernels break none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from codegen_tests.kernels.cases import CASES
from shaderdsl.errors import InternalError
from shaderdsl.ir import build
from shaderdsl.ir.expr import AddressSpace, Const, ElementOf, Expr, Load, Read, Slot, Variable, Whole
from shaderdsl.ir.kernel import Buffer, Domain, DomainKind, Kernel, Role
from shaderdsl.ir.stmt import (
    AtomicCall,
    AtomicOp,
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
    Range,
    Return,
    Store,
    UniformLoad,
)
from shaderdsl.ir.types import BOOL, F32, I32, U32, Array, Atomic, RuntimeArray, Type
from shaderdsl.ir.verify import fault
from shaderdsl.passes.pipeline import run

BUFFER = Variable("x", RuntimeArray(F32), AddressSpace.STORAGE, None)
TILE = Variable("tile", Array(F32, 4), AddressSpace.WORKGROUP, None)
BINS = Variable("bins", Array(Atomic(U32), 4), AddressSpace.WORKGROUP, None)
TABLE = Variable("table", Array(F32, 4), AddressSpace.CONSTANT, None)
OTHER = Variable("other", F32, AddressSpace.FUNCTION, None)
ONE, TWO, YES = Const(1.0, F32, None), Const(2, U32, None), Const(True, BOOL, None)
T, U = Slot("t", F32), Slot("u", U32)
HELPER = Function("helper", (T,), F32, (Return(ONE, None),), pure=True, loc=None)


def read(slot: Slot) -> Read:
    return Read(slot, slot.type, None)


def whole(variable: Variable) -> Whole:
    return Whole(variable, variable.type)


def element(variable: Variable, index: Expr = TWO) -> ElementOf:
    return build.element_of(whole(variable), index, None)


def load(variable: Variable) -> Load:
    place = element(variable)
    return Load(place, place.type, None)


def kernel(*body: object, functions: tuple[Function, ...] = ()) -> Kernel:
    buffers = (Buffer(BUFFER, F32, ("n",), Role.INOUT, 0, 0, written=True),)
    block: Block = tuple(body)  # pyright: ignore[reportAssignmentType]
    return Kernel(
        "k", "k", (4, 1, 1), buffers, None, (TILE, BINS, TABLE), functions, block, Domain(DomainKind.FREE), (), None
    )


GOOD = kernel(
    Let(T, load(BUFFER), None),
    Declare(OTHER, read(T), None),
    Loop((If(YES, (Break(None),), (Continue(None),), None),), None),
    Store(element(BUFFER), Load(whole(OTHER), F32, None), None),
    Collective(Slot(None, F32), CollectiveOp.SUM, read(T), None, None),
    AtomicCall(None, AtomicOp.ADD, element(BINS), (TWO,), None),
    Return(None, None),
)

BAD: list[tuple[str, Kernel]] = [
    ("Let: reads slot t, which is not visible", kernel(Let(Slot("v", F32), read(T), None))),
    (
        "Store: reads slot t, which is not visible",
        kernel(If(YES, (Let(T, ONE, None),), (), None), Store(element(BUFFER), read(T), None)),
    ),
    ("Let: slot t is defined twice", kernel(Let(T, ONE, None), Let(T, ONE, None))),
    (
        "If: Let: slot t is defined twice",
        kernel(Let(T, ONE, None), If(YES, (Let(T, ONE, None),), (), None)),
    ),
    ("Let: slot t is f32, its value u32", kernel(Let(T, TWO, None))),
    ("Let: other is not visible", kernel(Let(T, Load(whole(OTHER), F32, None), None))),
    ("Store: other is not visible", kernel(Store(whole(OTHER), ONE, None))),
    (
        "Store: other is not visible",
        kernel(Loop((Declare(OTHER, ONE, None), Break(None)), None), Store(whole(OTHER), ONE, None)),
    ),
    ("Declare: other starts with u32", kernel(Declare(OTHER, TWO, None))),
    ("Store: stores u32 in f32", kernel(Store(element(BUFFER), TWO, None))),
    ("Store: table cannot be written", kernel(Store(element(TABLE), ONE, None))),
    ("If: branches on f32", kernel(If(ONE, (), (), None))),
    ("Range: bounds differ in type", kernel(Range(U, Const(0, I32, None), TWO, TWO, (), None))),
    ("Break: stands outside a loop", kernel(Break(None))),
    ("If: Continue: stands outside a loop", kernel(If(YES, (Continue(None),), (), None))),
    ("Return: returns f32, not None", kernel(Return(ONE, None))),
    (
        "in helper: Return: returns u32, not f32",
        kernel(functions=(replace(HELPER, body=(Return(TWO, None),)),)),
    ),
    (
        "in helper: Return: reads slot u, which is not visible",
        kernel(functions=(replace(HELPER, body=(Return(build.convert(read(U), F32, None), None),)),)),
    ),
    ("CallFunction: calls helper, which is not in the kernel", kernel(CallFunction(None, HELPER, (ONE,), None))),
    (
        "CallFunction: gives helper (u32), not (f32)",
        kernel(CallFunction(None, HELPER, (TWO,), None), functions=(HELPER,)),
    ),
    ("CallFunction: gives helper (), not (f32)", kernel(CallFunction(None, HELPER, (), None), functions=(HELPER,))),
    ("CallFunction: slot u is u32, its value f32", kernel(CallFunction(U, HELPER, (ONE,), None), functions=(HELPER,))),
    ("AtomicCall: f32 is not atomic", kernel(AtomicCall(None, AtomicOp.ADD, element(TILE), (ONE,), None))),
    ("AtomicCall: operands differ from u32", kernel(AtomicCall(None, AtomicOp.ADD, element(BINS), (ONE,), None))),
    ("UniformLoad: x is not shared", kernel(UniformLoad(T, element(BUFFER), None))),
]


def test_a_good_kernel_has_no_fault() -> None:
    assert fault(GOOD) is None
    assert fault(kernel(CallFunction(T, HELPER, (ONE,), None), functions=(HELPER,))) is None
    assert fault(kernel(UniformLoad(T, element(TILE), None))) is None


@pytest.mark.parametrize(("message", "bad"), BAD, ids=[f"{n}-{m}" for n, (m, _) in enumerate(BAD)])
def test_each_rule_is_broken_by_a_kernel(message: str, bad: Kernel) -> None:
    assert fault(bad) == message


@pytest.mark.parametrize("name", sorted(CASES))
def test_golden_kernels_are_well_formed(name: str) -> None:
    case = CASES[name]
    assert fault(case.program.trace(**case.statics)) is None
    assert fault(case.program.lowered(debug=False, **case.statics)) is None


def test_a_fault_is_ours_never_the_users() -> None:
    with pytest.raises(InternalError, match="broke the kernel: Break: stands outside a loop"):
        run(GOOD, [lambda k: replace(k, body=(Break(None),))])


def test_slots_of_types_that_do_not_fit_are_found_in_loops() -> None:
    inner: Type = I32
    bad = kernel(Loop((Let(Slot("v", inner), ONE, None), Break(None)), None))
    assert fault(bad) == "Loop: Let: slot v is i32, its value f32"
