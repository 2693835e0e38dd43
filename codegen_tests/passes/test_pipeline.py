"""The pipeline: every golden kernel keeps its meaning after every pass; a pass that breaks a kernel is named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.kernels.cases import CASES
from codegen_tests.kernels.control import collatz
from codegen_tests.passes.running import results, same_bits
from shaderdsl.ir.expr import Const
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.stmt import Break, Let, Stmt, Store
from shaderdsl.ir.types import F32
from shaderdsl.ir.verify import fault
from shaderdsl.ir.walk import with_blocks
from shaderdsl.passes.functions import on_blocks
from shaderdsl.passes.pipeline import DEBUG, STANDARD, Pass, run


@pytest.mark.parametrize("name", sorted(CASES))
def test_every_pass_keeps_the_meaning(name: str) -> None:
    case = CASES[name]
    given = {**case.arguments, **case.statics}
    traced = case.program.trace(**case.statics)
    expected = results(case.program, traced, given, axes=case.axes, groups=case.groups)
    seen: list[str] = []

    def check(step: Pass, kernel: Kernel) -> None:
        seen.append(step.__name__)
        found = results(case.program, kernel, given, axes=case.axes, groups=case.groups)
        assert same_bits(expected, found), f"{step.__name__} changes {name}"

    run(traced, STANDARD, observe=check)
    assert seen == ["drop_debug", "lower_collectives", "flags_as_words", "dead_code", "materialise_snapshots"]


def test_a_change_of_meaning_is_seen() -> None:
    """The comparison above can fail."""
    one = {"y": np.array([1.0, np.nan], np.float32)}
    assert same_bits(one, {"y": one["y"].copy()})
    assert not same_bits(one, {"y": -one["y"]})
    assert not same_bits({"y": np.array([0.0])}, {"y": np.array([-0.0])})


def test_steps_are_observed_in_order() -> None:
    seen: list[tuple[str, bool]] = []
    run(collatz.trace(), DEBUG, observe=lambda step, kernel: seen.append((step.__name__, fault(kernel) is None)))
    assert seen == [
        ("write_debug", True),
        ("lower_collectives", True),
        ("flags_as_words", True),
        ("dead_code", True),
        ("materialise_snapshots", True),
    ]


def drop_lets(kernel: Kernel) -> Kernel:
    """Wrong: readers are left without their slots."""

    def without(block: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(with_blocks(s, without) for s in block if not isinstance(s, Let))

    return on_blocks(kernel, without)


def break_at_top(kernel: Kernel) -> Kernel:
    """Wrong: a jump without a loop."""
    return replace(kernel, body=(*kernel.body, Break(None)))


def store_floats(kernel: Kernel) -> Kernel:
    """Wrong: a store of another type."""

    def floats(block: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        changed = (replace(s, value=Const(1.0, F32, None)) if isinstance(s, Store) else s for s in block)
        return tuple(with_blocks(s, floats) for s in changed)

    return on_blocks(kernel, floats)


@pytest.mark.parametrize("step", [drop_lets, break_at_top, store_floats], ids=lambda step: step.__name__)
def test_the_pass_that_breaks_a_kernel_is_named(step: Pass) -> None:
    seen: list[str] = []
    with pytest.raises(sd.InternalError, match=f"{step.__name__} broke the kernel: "):
        run(collatz.trace(), [STANDARD[0], step, *STANDARD[1:]], observe=lambda s, _: seen.append(s.__name__))
    assert seen == ["drop_debug"]


def test_no_passes_change_nothing() -> None:
    assert run(collatz.trace(), []) is collatz.trace()
