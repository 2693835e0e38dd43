"""The passes in order, each verified: `run(kernel, STANDARD)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from shaderdsl.errors import InternalError
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.verify import fault
from shaderdsl.passes.collectives import lower_collectives
from shaderdsl.passes.dead_code import dead_code
from shaderdsl.passes.debug import drop_debug, write_debug
from shaderdsl.passes.flags import flags_as_words
from shaderdsl.passes.snapshots import materialise_snapshots

Pass: TypeAlias = Callable[[Kernel], Kernel]

STANDARD: tuple[Pass, ...] = (drop_debug, lower_collectives, flags_as_words, dead_code, materialise_snapshots)
DEBUG: tuple[Pass, ...] = (write_debug, lower_collectives, flags_as_words, dead_code, materialise_snapshots)
"""The same with `k.print` and `k.assert_` written to a log buffer."""


def run(kernel: Kernel, passes: Sequence[Pass], observe: Callable[[Pass, Kernel], None] | None = None) -> Kernel:
    """`kernel` after each pass in turn; a pass that breaks it is named. `observe` sees every step."""
    for step in passes:
        kernel = step(kernel)
        broken = fault(kernel)
        if broken is not None:
            raise InternalError(f"{step.__name__} broke the kernel: {broken}")
        if observe is not None:
            observe(step, kernel)
    return kernel
