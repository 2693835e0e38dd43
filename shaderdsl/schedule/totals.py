"""Parts of reductions: how two are combined, what changes nothing, and accumulators of loops."""

from __future__ import annotations

from shaderdsl.errors import InternalError
from shaderdsl.ir.builtins import Builtin
from shaderdsl.ir.expr import Const, Expr, Variable
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import CollectiveOp
from shaderdsl.ir.types import F32, U32
from shaderdsl.lang import fold
from shaderdsl.lang.functions.special import BITS_OF_INF
from shaderdsl.schedule.bodies import RUN
from shaderdsl.schedule.fixed import FixedWriter
from shaderdsl.schedule.lanes import splat
from shaderdsl.schedule.values import SIGN, literal
from shaderdsl.schedule.writer import AT
from shaderdsl.spec.notation import Dtype, Reduction, ReductionKind, Stage

OPERATIONS = {ReductionKind.MAX: Builtin.MAX, ReductionKind.MIN: Builtin.MIN}
COLLECTIVES = {
    ReductionKind.SUM: CollectiveOp.SUM,
    ReductionKind.MEAN: CollectiveOp.SUM,
    ReductionKind.MAX: CollectiveOp.MAX,
    ReductionKind.MIN: CollectiveOp.MIN,
}


class Total:
    """An accumulator of a loop. Long sums of f32 go through runs, so that the error stays small."""

    def __init__(self, writer: FixedWriter, stage: Stage, dtype: Dtype, vector: bool) -> None:
        self.writer = writer
        kind = reduction_of(stage)
        start = neutral(kind, dtype)
        initial = splat(start) if vector else start
        self.variable: Variable = writer.declare(stage.targets[0].name, initial.type, initial)
        self.longer: Variable | None = None
        if dtype is Dtype.F32 and kind in (ReductionKind.SUM, ReductionKind.MEAN):
            self.longer = writer.declare(f"{stage.targets[0].name}_runs", initial.type, initial)
        self.initial = initial

    @property
    def value(self) -> Expr:
        return self.writer.value(self.variable)

    def take(self, value: Expr, number: Expr, count: int, unroll: int) -> None:
        """Assign, and pour a run that is full into the longer one."""
        writer = self.writer
        writer.assign(self.variable, value)
        if self.longer is None or count <= RUN:
            return
        last = Const(RUN - unroll, U32, None)
        with writer.when(AT.binary(BinaryOp.EQ, AT.binary(BinaryOp.AND, number, Const(RUN - 1, U32, None)), last)):
            writer.assign(self.longer, AT.binary(BinaryOp.ADD, writer.value(self.longer), writer.value(self.variable)))
            writer.assign(self.variable, self.initial)

    @property
    def finished(self) -> Expr:
        if self.longer is None:
            return self.value
        return AT.binary(BinaryOp.ADD, self.writer.value(self.longer), self.value)


def reduction_of(stage: Stage) -> ReductionKind:
    if not isinstance(stage.how, Reduction):
        raise InternalError(f"{stage.targets[0].name} is no reduction")
    return stage.how.kind


def combine(stage: Stage, left: Expr, right: Expr) -> Expr:
    kind = reduction_of(stage)
    if kind in OPERATIONS:
        return AT.call(OPERATIONS[kind], left, right)
    return AT.binary(BinaryOp.MUL if kind is ReductionKind.PROD else BinaryOp.ADD, left, right)


def neutral(kind: ReductionKind, dtype: Dtype) -> Expr:
    """What changes nothing in a reduction."""
    match kind:
        case ReductionKind.SUM | ReductionKind.MEAN:
            return literal(0, dtype)
        case ReductionKind.PROD:
            return literal(1, dtype)
        case ReductionKind.MAX | ReductionKind.MIN if dtype is Dtype.F32:
            sign = SIGN if kind is ReductionKind.MAX else 0
            return fold.float_bits(BITS_OF_INF[F32] | sign, F32, None)
        case ReductionKind.MAX:
            return literal(0 if dtype is Dtype.U32 else -(2**31), dtype)
        case ReductionKind.MIN:
            return literal(2**32 - 1 if dtype is Dtype.U32 else 2**31 - 1, dtype)
