"""Debugging statements: dropped unless somebody asks for them."""

from __future__ import annotations

from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.stmt import Assert, Block, Print
from shaderdsl.ir.walk import with_blocks
from shaderdsl.passes.functions import on_blocks


def drop_debug(kernel: Kernel) -> Kernel:
    """`kernel` without `k.print` and `k.assert_`."""
    return on_blocks(kernel, without_debug)


def without_debug(block: Block) -> Block:
    return tuple(with_blocks(s, without_debug) for s in block if not isinstance(s, Print | Assert))
