"""Shared memory is zero at first, as WGSL says; wgpu-native leaves there what was there, so that what it runs clears it by itself.

    for (var element = local_invocation_index; element < 256u; element += 64u) {
      tile[element] = 0.0f;
    }
    workgroupBarrier();

Only what is launched on wgpu goes through here: the text that a user reads relies on the language.
"""

from __future__ import annotations

from dataclasses import replace

from shaderdsl.ir import build
from shaderdsl.ir.expr import AddressSpace, Const, Expr, Input, Load, Place, Read, ReadInput, Slot, Variable, Whole
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.stmt import AtomicCall, AtomicOp, Barrier, BarrierKind, Block, Declare, Range, Store
from shaderdsl.ir.types import BOOL, FLOATS, U32, Array, Atomic, Scalar, Struct, holds_atomic

INDEX = ReadInput(Input.LOCAL_INVOCATION_INDEX, U32, None)


def clear_shared(kernel: Kernel) -> Kernel:
    """`kernel` with its own shared memory cleared by all invocations before anything else; collectives write their scratch before they read it."""
    cleared = [
        clear(Whole(v, v.type), v.type, INDEX, kernel.invocations)
        for v in kernel.shared
        if v.space is AddressSpace.WORKGROUP and isinstance(v.type, Array)
    ]
    if not cleared:
        return kernel
    return replace(kernel, body=(*cleared, Barrier(BarrierKind.WORKGROUP, None), *kernel.body))


def clear(place: Place, type: Array, start: Expr, step: int) -> Range:
    """Zero in the elements of an array, from `start` on in steps."""
    element = Slot("element", U32)
    body = clear_one(build.element_of(place, Read(element, U32, None), None))
    return Range(element, start, Const(type.count, U32, None), Const(step, U32, None), body, None)


def clear_one(place: Place) -> Block:
    """Zero in a place, by one invocation: what holds atomics part by part, all else as a whole."""
    match place.type:
        case Atomic(scalar):
            return (AtomicCall(None, AtomicOp.STORE, place, (zero(scalar),), None),)
        case Array() as array if holds_atomic(array):
            return (clear(place, array, Const(0, U32, None), 1),)
        case Struct(_, members, _) as struct if holds_atomic(struct):
            parts = [clear_one(build.member_of(place, m.name, None)) for m in members]
            return tuple(stmt for part in parts for stmt in part)
        case Scalar() as scalar:
            return (Store(place, zero(scalar), None),)
        case type:
            fresh = Variable("zero", type, AddressSpace.FUNCTION, None)
            return (Declare(fresh, None, None), Store(place, Load(Whole(fresh, type), type, None), None))


def zero(scalar: Scalar) -> Const:
    return Const(False if scalar == BOOL else 0.0 if scalar in FLOATS else 0, scalar, None)
