"""Every scalar case of the conformance data through whole kernels: one kernel for each operation and types, its cases as lanes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from codegen_tests.numeric.conformance import BUILTINS, MEMBERS, OPERATORS, Group, failures, load
from shaderdsl.interp.run import interpret
from shaderdsl.ir import build
from shaderdsl.ir.expr import AddressSpace, Expr, Input, Load, Read, ReadInput, Slot, Variable, Whole
from shaderdsl.ir.kernel import Buffer, Domain, DomainKind, Kernel, Role
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.stmt import Block, Let, Store
from shaderdsl.ir.types import BOOL, U32, RuntimeArray, Scalar
from shaderdsl.ir.verify import fault
from shaderdsl.numeric.host import Memory
from shaderdsl.numeric.values import DTYPES
from shaderdsl.passes.pipeline import STANDARD, run

CASES = 30_607
SIZE = 64


def storage(name: str, scalar: Scalar) -> Variable:
    return Variable(name, RuntimeArray(held(scalar)), AddressSpace.STORAGE, None)


def held(scalar: Scalar) -> Scalar:
    """A bool crosses memory as u32."""
    return U32 if scalar == BOOL else scalar


def result_of(group: Group, values: list[Expr]) -> Expr:
    """The operation that a group tests, on expressions."""
    family, _, kind = group.operation.partition(",")
    source, target = group.types[0], group.result
    if family == "binary":
        name = group.test.removesuffix("_compound")
        return build.binary(OPERATORS[kind if name == "scalar" else name], values[0], values[1], None)
    if kind == "address_of_and_indirection":
        return values[0]
    if kind.endswith("_conversion"):
        return build.convert(values[0], target, None)
    if family == "bitcast":
        return build.bitcast(values[0], target, None)
    if family == "unary":
        op = {"negation": UnaryOp.NEGATE}.get(group.test, UnaryOp.COMPLEMENT)
        return build.unary(UnaryOp.NOT if source == BOOL else op, values[0], None)
    return build.call(BUILTINS[group.operation], values, None)


def kernel_of(group: Group) -> Kernel:
    """`out[i] = operation(a[i], b[i], ...)`, one operation deep as a trace is."""
    inputs = [storage(f"x{n}", scalar) for n, scalar in enumerate(group.types)]
    out = storage("out", group.result)
    index = build.swizzle(ReadInput(Input.GLOBAL_INVOCATION_ID, Input.GLOBAL_INVOCATION_ID.type, None), (0,), None)
    body: list[Any] = []

    def let(expr: Expr) -> Expr:
        slot = Slot(None, expr.type)
        body.append(Let(slot, expr, None))
        return Read(slot, slot.type, None)

    def element(variable: Variable) -> Any:
        return build.element_of(Whole(variable, variable.type), index, None)

    values: list[Expr] = []
    for variable, scalar in zip(inputs, group.types):
        place = element(variable)
        value = let(Load(place, place.type, None))
        values.append(let(build.convert(value, BOOL, None)) if scalar == BOOL else value)
    result = let(result_of(group, values))
    if group.operation in ("frexp", "modf"):
        result = let(
            build.member(result, ("fract", "exp" if group.operation == "frexp" else "whole")[MEMBERS[group.test]], None)
        )
    stored = let(build.convert(result, U32, None)) if group.result == BOOL else result
    body.append(Store(element(out), stored, None))
    return kernel_with([*inputs, out], tuple(body))


def kernel_with(variables: list[Variable], body: Block) -> Kernel:
    buffers = tuple(buffer(v, n, last=n == len(variables) - 1) for n, v in enumerate(variables))
    return Kernel("case", "case", (SIZE, 1, 1), buffers, None, (), (), body, Domain(DomainKind.FREE), (), None)


def buffer(variable: Variable, number: int, *, last: bool) -> Buffer:
    assert isinstance(variable.type, RuntimeArray)
    return Buffer(variable, variable.type.element, ("n",), Role.OUT if last else Role.IN, 0, number, written=last)


def executed(kernel: Kernel, group: Group) -> np.ndarray:
    """The results of all cases: lanes past their end store out of range, which is dropped."""
    columns = group.columns()
    count = len(group.arguments)
    memory: dict[Variable, Memory] = {}
    for b, column in zip(kernel.buffers, columns):
        memory[b.variable] = column.astype(np.uint32) if column.dtype == np.bool_ else column
    out = kernel.buffers[-1]
    memory[out.variable] = np.zeros(count, DTYPES[held(group.result)])
    interpret(kernel, memory, {}, (-(-count // SIZE), 1, 1))
    found = memory[out.variable]
    assert isinstance(found, np.ndarray)
    return found.astype(np.bool_) if group.result == BOOL else found


@pytest.fixture(scope="module")
def groups() -> list[Group]:
    return load()


def test_every_case_through_a_kernel(groups: list[Group], record_property: Callable[[str, object], None]) -> None:
    count, wrong = 0, list[str]()
    for group in groups:
        kernel = kernel_of(group)
        assert fault(kernel) is None
        found = executed(kernel, group)
        assert found.tobytes() == executed(run(kernel, STANDARD), group).tobytes()
        wrong += failures(group, found)
        count += len(found)
    record_property("conformance", f"scalar_execution through kernels: {count - len(wrong)} of {count}")
    assert count == CASES
    assert wrong == []


def test_another_operation_fails(groups: list[Group]) -> None:
    """The data tell operations apart: division in place of the remainder is found."""
    group = next(g for g in groups if (g.operation, g.test) == ("binary,i32_arithmetic", "remainder"))
    spoiled = Group("binary,i32_arithmetic", "division", group.result, group.types, group.arguments, group.intervals)
    assert failures(group, executed(kernel_of(group), group)) == []
    assert len(failures(group, executed(kernel_of(spoiled), spoiled))) > 10


def test_operators_of_the_data_are_binary() -> None:
    assert all(isinstance(op, BinaryOp) for op in OPERATORS.values())
