"""Apply a rewrite of blocks to a kernel's body and to its functions, keeping calls pointed at the new functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.stmt import Block, CallFunction, Function, Stmt
from shaderdsl.ir.walk import with_blocks


def on_blocks(kernel: Kernel, rewrite: Callable[[Block], Block]) -> Kernel:
    """`kernel` with `rewrite` applied to each function's body, callees first, and to its own."""
    renewed: dict[Function, Function] = {}
    for function in kernel.functions:
        renewed[function] = replace(function, body=rewrite(relink(function.body, renewed)))
    body = rewrite(relink(kernel.body, renewed))
    return replace(kernel, functions=tuple(renewed.values()), body=body)


def relink(block: Block, renewed: dict[Function, Function]) -> Block:
    """`block` calling the new functions."""
    if not renewed:
        return block

    def one(stmt: Stmt) -> Stmt:
        if isinstance(stmt, CallFunction) and stmt.function in renewed:
            return replace(stmt, function=renewed[stmt.function])
        return with_blocks(stmt, lambda inner: relink(inner, renewed))

    return tuple(one(s) for s in block)
