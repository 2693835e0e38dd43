"""on_blocks: a rewrite reaches every function and the body, and calls point at the new functions."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.stmt import Block, CallFunction, Function
from shaderdsl.ir.verify import fault
from shaderdsl.ir.walk import statements
from shaderdsl.passes.functions import on_blocks


@sd.function
def inner(x: f32) -> f32:
    return x * 2


@sd.function
def outer(k: sd.Kernel, x: f32) -> f32:
    k.return_if(x > 3, 0)
    v = k.var(x)
    for _ in k.range(3):
        v.value = inner(v.value)
    return v.value


@sd.kernel
def calling(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        with k.if_(x[i] > 0):
            y[i] = outer(x[i])
        with k.else_():
            y[i] = inner(x[i])


def called(kernel: Kernel) -> set[Function]:
    bodies = [kernel.body, *(f.body for f in kernel.functions)]
    return {s.function for body in bodies for s in statements(body) if isinstance(s, CallFunction)}


def test_calls_point_at_the_new_functions() -> None:
    before = calling.trace()
    after = on_blocks(before, lambda block: block)
    assert [f.name for f in after.functions] == ["inner", "outer"]
    assert not set(after.functions) & set(before.functions)
    assert called(after) == set(after.functions)
    assert fault(after) is None


def test_every_body_is_rewritten_once() -> None:
    seen: list[Block] = []

    def note(block: Block) -> Block:
        seen.append(block)
        return block

    kernel = on_blocks(calling.trace(), note)
    assert len(seen) == 3
    assert seen[2] is kernel.body


def test_a_call_of_an_old_function_is_a_fault() -> None:
    """What relinking prevents."""
    before = calling.trace()
    after = on_blocks(before, lambda block: block)
    mixed = replace(after, body=before.body)
    assert "which is not in the kernel" in (fault(mixed) or "")
