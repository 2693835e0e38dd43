"""What all invocations of a workgroup do together: where it may stand, and the collectives.

k.group_sum(x[i])      # ScopeError inside k.each, where invocations beyond the domain have left
"""

from __future__ import annotations

import math
from typing import Any

from shaderdsl.errors import ConstantError, KernelTypeError, Related, ScopeError
from shaderdsl.ir.expr import AddressSpace, Const, Expr, Read, Slot, Whole
from shaderdsl.ir.kernel import DomainKind
from shaderdsl.ir.stmt import Collective, CollectiveOp
from shaderdsl.ir.types import BOOL, NUMERIC, U32, Type, mentions
from shaderdsl.lang.here import here
from shaderdsl.lang.operate import expect
from shaderdsl.lang.place import Place
from shaderdsl.lang.trace import Trace, in_kernel
from shaderdsl.lang.value import Value, expr_of, wrap, wrong_operand
from shaderdsl.source import Loc


def together(trace: Trace, what: str, loc: Loc | None) -> Trace:
    """Refuse what all invocations must reach together inside `k.each`, where some have left."""
    if trace.domain is not None and trace.domain.kind is DomainKind.EACH:
        raise ScopeError(
            f"{what} stands in k.each, where invocations beyond the domain have left",
            loc,
            related=[Related("the domain", trace.domain_loc)] if trace.domain_loc is not None else [],
            hints=["use k.each_group, and guard loads and stores instead"],
        )
    if trace.left is not None:
        raise ScopeError(
            f"{what} follows an early exit, where some invocations have left",
            loc,
            related=[Related("the exit", trace.left)],
            hints=["put what follows under k.if_ with the opposite condition, and the barrier after it"],
        )
    trace.pure = False
    trace.meets = True
    return trace


def root_space(place: Place[Any]) -> AddressSpace:
    inner = place._place
    while not isinstance(inner, Whole):
        inner = inner.base
    return inner.variable.space


def collective(op: CollectiveOp, value: object, lane: object = None) -> Any:
    """Emit a group collective."""
    loc = here()
    trace = together(in_kernel(f"k.{op.value}", "pass its result as an argument", loc), op.value, loc)
    if not isinstance(value, Value):
        raise wrong_operand(value, loc)
    operand = expr_of(value, loc)
    check_collective(op, operand.type, loc)
    source = None if lane is None else expect(lane, U32, loc, "the lane")
    if source is not None:
        check_lane(trace, source, loc)
    slot = Slot(trace.name_at(loc), operand.type)
    trace.emit(Collective(slot, op, operand, source, loc))
    return wrap(Read(slot, operand.type, loc))


def check_lane(trace: Trace, lane: Expr, loc: Loc | None) -> None:
    """A constant lane is one of the workgroup's."""
    size = math.prod(trace.workgroup_size or ())
    if isinstance(lane, Const) and trace.workgroup_size is not None and lane.value >= size:
        raise ConstantError(f"lane {lane.value} is beyond the workgroup's {size}", loc, hints=["count from 0"])


def check_collective(op: CollectiveOp, type: Type, loc: Loc | None) -> None:
    match op:
        case CollectiveOp.ANY | CollectiveOp.ALL:
            if type != BOOL:
                raise KernelTypeError(f"{op.value} takes bool, not {type}", loc, hints=["compare it: x > 0"])
        case CollectiveOp.BROADCAST:
            if mentions(type, BOOL) and type != BOOL:
                raise KernelTypeError(f"{op.value} does not take {type}", loc, hints=["broadcast its components"])
        case _:
            if type not in NUMERIC:
                raise KernelTypeError(
                    f"{op.value} takes a numeric scalar, not {type}", loc, hints=["take its components one by one"]
                )
