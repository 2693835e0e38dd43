"""`k.print` and `k.assert_` as the user sees them: one line an invocation, with the Python line it comes from.

kernel(x, debug=print)          # kernel.py:12: [3, 0, 0] i=3 x=0.5
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shaderdsl.errors import AssertionFailed
from shaderdsl.interp.lanes import Lanes, Mask
from shaderdsl.ir.expr import Input
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.stmt import Assert, Print, Stmt
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Type
from shaderdsl.passes.debug import EMPTY, HEADER, LOG_WORDS, debug_statements

log = logging.getLogger("shaderdsl")
SHOWN = 5
"""Invocations that an error about a failed assertion names."""
VIEWS = {F32: np.float32, F16: np.float32, I32: np.int32, U32: np.uint32, BOOL: np.uint32}


@dataclass(frozen=True, slots=True)
class DebugLine:
    """One k.print of one invocation: its text, the global id, and where in Python it stands."""

    text: str
    invocation: tuple[int, int, int]
    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {list(self.invocation)} {self.text}"


@dataclass(slots=True)
class Collector:
    """Gathers lines and failures while a kernel runs; `finish` raises if an assertion failed."""

    receive: Callable[[DebugLine], object] | None
    failures: dict[Assert, list[tuple[int, int, int]]]

    def add(self, stmt: Print | Assert, invocation: tuple[int, int, int], values: Sequence[Any]) -> None:
        """One record."""
        if isinstance(stmt, Assert):
            self.failures.setdefault(stmt, []).append(invocation)
            return
        span = stmt.loc.span() if stmt.loc is not None else None
        text = stmt.format.format(*values)
        line = DebugLine(text, invocation, span.path if span else "", span.line if span else 0)
        if self.receive is not None:
            self.receive(line)
        else:
            log.info("%s", line)

    def finish(self) -> None:
        for stmt, invocations in self.failures.items():
            named = ", ".join(str(list(i)) for i in invocations[:SHOWN])
            more = f" and {len(invocations) - SHOWN} more" if len(invocations) > SHOWN else ""
            raise AssertionFailed(stmt.message, stmt.loc, notes=[f"it fails for invocation {named}{more}"])

    def report(self, stmt: Stmt, lanes: Lanes, mask: Mask, values: Sequence[Any]) -> None:
        """The interpreter's view: all lanes at one statement."""
        if not isinstance(stmt, Print | Assert):
            return
        ids = lanes.input(Input.GLOBAL_INVOCATION_ID)
        spread = [np.broadcast_to(v, (lanes.count,)) for v in values]
        chosen = mask & ~spread[0] if isinstance(stmt, Assert) else mask
        for lane in np.flatnonzero(chosen):
            x, y, z = (int(c) for c in ids[lane])
            self.add(stmt, (x, y, z), [v[lane].item() for v in spread])


def read_log(kernel: Kernel, words: NDArray[np.uint32], collector: Collector) -> None:
    """Decode a device's log buffer; invocations in order of their ids, each one's lines in order of time."""
    statements = debug_statements(kernel)
    used = min(int(words[0]), LOG_WORDS)
    records: list[tuple[tuple[int, int, int], Print | Assert, list[Any]]] = []
    position = 1
    while position + HEADER <= used + 1 and words[position] != EMPTY:
        stmt = statements[int(words[position])]
        x, y, z = (int(w) for w in words[position + 1 : position + HEADER])
        exprs = stmt.values if isinstance(stmt, Print) else ()
        end = position + HEADER + len(exprs)
        values = [decoded(w, e.type) for w, e in zip(words[position + HEADER : end], exprs)]
        records.append(((x, y, z), stmt, values))
        position = end
    for invocation, stmt, values in sorted(records, key=lambda r: r[0][::-1]):
        collector.add(stmt, invocation, values)
    if int(words[0]) > LOG_WORDS:
        log.warning(
            "the debug log of %s is full: %d words of %d did not fit",
            kernel.name,
            int(words[0]) - LOG_WORDS,
            int(words[0]),
        )


def decoded(word: np.uint32, type: Type) -> Any:
    """A value from its word."""
    value = np.array([word], np.uint32).view(VIEWS[type])[0].item()  # pyright: ignore[reportArgumentType]
    return bool(value) if type == BOOL else value
