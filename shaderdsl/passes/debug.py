"""Debugging statements: dropped, or turned into writes of a bounded log buffer when somebody asks for them.

A record in the log is: the statement's number, the invocation's global id (three words), one word for each value. Word 0 of the buffer
counts the words that were asked for, so that what did not fit is known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from shaderdsl.errors import InternalError
from shaderdsl.ir import build
from shaderdsl.ir.expr import AddressSpace, Const, ElementOf, Expr, Input, Read, ReadInput, Slot, Variable, Whole
from shaderdsl.ir.kernel import Buffer, Kernel, Role
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.stmt import Assert, AtomicCall, AtomicOp, Block, If, Print, Stmt
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32, Atomic, RuntimeArray
from shaderdsl.ir.walk import statements, with_blocks
from shaderdsl.passes.functions import on_blocks

LOG = "debug_log"
LOG_WORDS = 65536
"""Words that the log holds after its counter: 256 KiB."""
EMPTY = 0xFFFFFFFF
"""What the host fills the log with: no statement has this number, so that a record that did not fit is not read."""
HEADER = 4
"""Words of a record before its values."""


def drop_debug(kernel: Kernel) -> Kernel:
    """`kernel` without `k.print` and `k.assert_`."""
    return on_blocks(kernel, without_debug)


def without_debug(block: Block) -> Block:
    return tuple(with_blocks(s, without_debug) for s in block if not isinstance(s, Print | Assert))


def debug_statements(kernel: Kernel) -> list[Print | Assert]:
    """The statements that write records, by number."""
    return [s for s in statements(kernel.body) if isinstance(s, Print | Assert)]


def write_debug(kernel: Kernel) -> Kernel:
    """`kernel` with a log buffer, and its debugging statements as writes to it."""
    numbers = {stmt: number for number, stmt in enumerate(debug_statements(kernel))}
    log = Variable(free_name(kernel), RuntimeArray(Atomic(U32)), AddressSpace.STORAGE, kernel.loc)
    writer = LogWriter(log, numbers)
    body = writer.block(kernel.body)
    taken = {(b.group, b.binding) for b in kernel.buffers}
    if kernel.uniform is not None:
        taken.add((kernel.uniform.group, kernel.uniform.binding))
    binding = next(n for n in range(len(taken) + 1) if (0, n) not in taken)
    buffer = Buffer(log, Atomic(U32), (LOG_WORDS + 1,), Role.INOUT, 0, binding, written=True)
    return replace(kernel, buffers=(*kernel.buffers, buffer), body=body)


def free_name(kernel: Kernel) -> str:
    """The log's name, beside a buffer of the user's that is called so."""
    taken = {b.variable.name for b in kernel.buffers}
    name = LOG
    while name in taken:
        name += "_"
    return name


@dataclass(slots=True)
class LogWriter:
    """Rewrites blocks; each record claims its words first, and writes them only if they fit."""

    log: Variable
    numbers: dict[Print | Assert, int]

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case Print(_, values):
                    result += self.record(stmt, values)
                case Assert(condition):
                    failed = build.unary(UnaryOp.NOT, condition, stmt.loc)
                    result.append(If(failed, tuple(self.record(stmt, ())), (), stmt.loc))
                case _:
                    result.append(with_blocks(stmt, self.block))
        return tuple(result)

    def record(self, stmt: Print | Assert, values: tuple[Expr, ...]) -> list[Stmt]:
        ids = ReadInput(Input.GLOBAL_INVOCATION_ID, Input.GLOBAL_INVOCATION_ID.type, None)
        words = [Const(self.numbers[stmt], U32, None), *(build.swizzle(ids, (c,), None) for c in range(3))]
        words += [as_word(v) for v in values]
        size = Const(len(words), U32, None)
        start = Slot("record", U32)
        claimed = AtomicCall(start, AtomicOp.ADD, self.word(Const(0, U32, None)), (size,), stmt.loc)
        fits = build.binary(BinaryOp.LE, Read(start, U32, None), Const(LOG_WORDS - len(words), U32, None), None)
        writes = tuple(self.write(start, position, word, stmt) for position, word in enumerate(words))
        return [claimed, If(fits, writes, (), stmt.loc)]

    def write(self, start: Slot, position: int, word: Expr, stmt: Print | Assert) -> Stmt:
        index = build.binary(BinaryOp.ADD, Read(start, U32, None), Const(position + 1, U32, None), None)
        return AtomicCall(None, AtomicOp.STORE, self.word(index), (word,), stmt.loc)

    def word(self, index: Expr) -> ElementOf:
        return build.element_of(Whole(self.log, self.log.type), index, None)


def as_word(value: Expr) -> Expr:
    """A scalar's bits as u32; halves travel as f32."""
    if value.type == BOOL:
        return build.convert(value, U32, None)
    if value.type == F16:
        return build.bitcast(build.convert(value, F32, None), U32, None)
    if value.type not in (F32, U32, I32):
        raise InternalError(f"{value.type} in the debug log")
    return build.bitcast(value, U32, None)
