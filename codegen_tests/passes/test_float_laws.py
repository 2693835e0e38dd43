"""No pass and no emission changes a float's value: every form is in the text as written, and gives the same bits before and after."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.passes.running import results, same_bits
from shaderdsl import f32
from shaderdsl.ir.expr import Binary, Const
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.operators import BinaryOp
from shaderdsl.ir.stmt import Let, Stmt
from shaderdsl.ir.walk import with_blocks
from shaderdsl.passes.functions import on_blocks
from shaderdsl.passes.pipeline import STANDARD, Pass, run


@sd.kernel
def forms(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.In[f32], "n"], out: Annotated[sd.Out[f32], "24, n"]
) -> None:
    with k.each(x.n) as i:
        a = x[i]
        b = y[i]
        c = b * 3
        out[0, i] = a + 0.0
        out[1, i] = 0.0 + a
        out[2, i] = a - 0.0
        out[3, i] = 0.0 - a
        out[4, i] = a * 0.0
        out[5, i] = a * 1.0
        out[6, i] = 1.0 * a
        out[7, i] = a / 1.0
        out[8, i] = a - a
        out[9, i] = a / a
        out[10, i] = a * 2 / 2
        out[11, i] = (a + b) + c
        out[12, i] = a + (b + c)
        out[13, i] = a * b + c
        out[14, i] = a * (b + c)
        out[15, i] = a * b + a * c
        out[16, i] = -(-a)  # noqa: B002
        out[17, i] = sd.max(a, b)
        out[18, i] = sd.min(b, a)
        out[19, i] = sd.select(a, b, a < b)
        out[20, i] = sd.select(a, b, a == a)
        out[21, i] = sd.select(a, b, ~(a >= b))
        out[22, i] = (a * b) * c
        out[23, i] = a * -1.0


TEXTS = [
    "a + 0.0f",
    "0.0f + a",
    "a - 0.0f",
    "0.0f - a",
    "a * 0.0f",
    "a * 1.0f",
    "1.0f * a",
    "a / 1.0f",
    "a - a",
    "a / a",
    "a * 2.0f / 2.0f",
    "a + b + c",
    "a + (b + c)",
    "a * b + c",
    "a * (b + c)",
    "a * b + a * c",
    "-(-a)",
    "max(a, b)",
    "min(b, a)",
    "select(a, b, a < b)",
    "select(a, b, a == a)",
    "select(a, b, !(a >= b))",
    "a * b * c",
    "a * (-1.0f)",
]
SPECIAL = np.array(
    [np.nan, -np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-45, -1e-45, 1.1754942e-38, 3.4028235e38, -3.4028235e38, 1.0, -2.5, 1e-20, 16777216],
    np.float32,
)  # fmt: skip


def pairs() -> dict[str, np.ndarray]:
    a, b = np.meshgrid(SPECIAL, SPECIAL)
    payload = np.array([0x7FC12345, 0xFF800001], np.uint32).view(np.float32)
    return {"x": np.concatenate([a.reshape(-1), payload]), "y": np.concatenate([b.reshape(-1), payload[::-1]])}


@pytest.mark.parametrize("dialect", ["naga", "tint"])
def test_every_form_is_in_the_text_as_written(dialect: str) -> None:
    lines = [line.strip() for line in forms.wgsl(dialect).splitlines() if line.strip().startswith("out[")]
    assert [line.partition(" = ")[2].removesuffix(";") for line in lines] == TEXTS
    assert "fma" not in forms.wgsl(dialect)


def test_every_pass_keeps_the_bits() -> None:
    expected = results(forms, forms.trace(), pairs())

    def check(step: Pass, kernel: Kernel) -> None:
        assert same_bits(expected, results(forms, kernel, pairs())), step.__name__

    run(forms.trace(), STANDARD, observe=check)


def test_the_interpreter_does_what_ieee_does() -> None:
    """Two roundings in a * b + c, none left out; numpy in float32 is the reference."""
    given = pairs()
    a, b = given["x"], given["y"]
    with np.errstate(all="ignore"):
        three = np.float32(3)
        c = b * three
        expected = {
            0: a + 0,
            4: a * 0,
            8: a - a,
            9: a / a,
            11: (a + b) + c,
            12: a + (b + c),
            13: a * b + c,
            14: a * (b + c),
        }
    out = results(forms, forms.trace(), given)["out"]
    for row, value in expected.items():
        np.testing.assert_array_equal(out[row], value.astype(np.float32), err_msg=TEXTS[row])
    zero = np.flatnonzero((a == 0) & np.signbit(a))
    assert np.signbit(out[5][zero]).all()
    assert not np.signbit(out[0][zero]).any()


def test_not_less_is_not_greater_or_equal() -> None:
    """`~(a >= b)` holds for a NaN, `a < b` does not."""
    out = results(forms, forms.trace(), {"x": np.array([np.nan], np.float32), "y": np.array([7.0], np.float32)})["out"]
    assert np.isnan(out[19, 0])
    assert np.isnan(out[20, 0])
    assert out[21, 0] == 7.0


def swap_sums(kernel: Kernel) -> Kernel:
    """Wrong: `a + b` becomes `a - b` where the right side is a constant zero: equal but for the sign of zero."""

    def one(stmt: Stmt) -> Stmt:
        match stmt:
            case Let(_, Binary(BinaryOp.ADD, _, Const(0.0)) as value):
                return replace(stmt, value=replace(value, op=BinaryOp.SUB))
            case _:
                return with_blocks(stmt, block)

    def block(stmts: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        return tuple(one(s) for s in stmts)

    return on_blocks(kernel, block)


def test_a_rewrite_that_only_changes_the_sign_of_zero_is_found() -> None:
    spoiled = run(forms.trace(), [swap_sums])
    assert not same_bits(results(forms, forms.trace(), pairs()), results(forms, spoiled, pairs()))


@sd.kernel
def summed(k: sd.Kernel, x: Annotated[sd.In[f32], "n, 9"], y: Annotated[sd.Out[f32], "2, n"]) -> None:
    with k.each(x.n) as i:
        left = [x[i, 0]]
        for c in range(1, 9):
            left.append(left[-1] + x[i, c])
        y[0, i] = left[-1]
        y[1, i] = (x[i, 0] + x[i, 1]) + ((x[i, 2] + x[i, 3]) + (x[i, 4] + (x[i, 5] + x[i, 6])))


def test_the_order_of_additions_is_the_programs(executor_name: str) -> None:
    """Values whose sum depends on the order: devices add in the order of the text too."""
    rng = np.random.default_rng(5)
    x = (rng.standard_normal((50, 9)) * 10.0 ** rng.integers(-3, 4, (50, 9))).astype(np.float32)
    total = x[:, 0]
    for c in range(1, 9):
        total = total + x[:, c]
    tree = (x[:, 0] + x[:, 1]) + ((x[:, 2] + x[:, 3]) + (x[:, 4] + (x[:, 5] + x[:, 6])))
    result = summed(x, device=executor_name)
    np.testing.assert_array_equal(result, np.stack([total, tree]))
    assert (total != x.sum(axis=1, dtype=np.float64).astype(np.float32)).any()
