"""Derivatives of derivatives in every order of two, and conversions that derivations see through."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd

wave = sd.op("wave", "s[i] = sin(x[i]) * a[i]\ny = sum(i) s[i] ** 2")
x, a, u, v = (np.random.default_rng(n).normal(size=3) for n in range(4))


def second() -> float:
    """The second derivative along u and v by x alone: of a**2 sin(x)**2."""
    return float((a**2 * 2 * np.cos(2 * x) * u * v).sum())


def test_forward_over_forward(executor_name: str) -> None:
    zero = np.zeros(3)
    names = ("x", "a", "t_x", "t_a", "t2_x", "t2_a", "t2_t_x", "t2_t_a")
    assert wave.jvp.jvp.inputs == names
    given = dict(zip(names, (x, a, u, zero, v, zero, zero, zero)))
    np.testing.assert_allclose(wave.jvp.jvp.reference(**given), second(), rtol=1e-12)
    np.testing.assert_allclose(wave.jvp.jvp(**given, device=executor_name), second(), rtol=1e-4)


def test_the_orders_agree() -> None:
    zero = np.zeros(3)
    over = wave.vjp.jvp.reference(x=x, a=a, d_y=1.0, t_x=u, t_a=zero, t_d_y=0.0)["t_d_x"]
    under = wave.jvp.vjp.reference(x=x, a=a, t_x=u, t_a=zero, d_t_y=1.0)["x"]
    twice = wave.vjp.vjp.reference(x=x, a=a, d_y=1.0, d_d_x=u, d_d_a=zero)["x"]
    for found in (over, under, twice):
        np.testing.assert_allclose(found @ v, second(), rtol=1e-12)


def test_three_orders() -> None:
    assert wave.jvp.vjp.jvp.inputs[-1] == "t2_d_t_y"
    assert wave.jvp.jvp.jvp.inputs[-1] == "t3_t2_t_a"


def test_a_name_that_a_second_tangent_takes_is_refused() -> None:
    with pytest.raises(sd.SpecError, match="has a t2_x, the name of the tangent of x"):
        _ = sd.op("taken", "y[i] = x[i] * t2_x[i]").jvp.jvp.formula


def test_f32_of_a_float_is_that_float(executor_name: str) -> None:
    cast = sd.op("cast", "given x[i], k[i]: i32\ny[i] = f32(x[i]) ** 2 * f32(k[i])")
    assert cast.formula.endswith("f32(x[i]) ** 2 * f32(k[i])")
    given: dict[str, Any] = {"x": x, "k": np.array([1, 2, 3])}
    found = cast.vjp(**given, d_y=u, device=executor_name)["x"]
    np.testing.assert_allclose(found, 2 * x * given["k"] * u, rtol=1e-5)
    np.testing.assert_allclose(cast.jvp.reference(**given, t_x=u), 2 * x * given["k"] * u)
    assert sd.gradcheck(cast).ok


def test_f32_of_a_float_in_a_scan() -> None:
    scan = sd.op("scan", "h[t] = scan(t, start=f32(s)) f32(h[t - 1]) * 0.5 + x[t]\ns0 = h[0]\nout(h)")
    np.testing.assert_allclose(scan.vjp.reference(s=0.0, x=x, d_h=np.array([0.0, 0, 1]))["x"], [0.25, 0.5, 1])


@pytest.mark.parametrize("value", [2**63, 2**40, 2**31])
def test_whole_numbers_that_32_bits_do_not_hold_are_refused(value: int, executor_name: str) -> None:
    """Also by the reference, which would read another row."""
    row = sd.op("row", "y[t] = w[ids[t]]")
    for call, more in ((row, {"device": executor_name}), (row.reference, {})):
        with pytest.raises(sd.LaunchError, match=f"ids holds {value}, which int32 does not hold"):
            call(w=np.ones(3), ids=np.array([value], np.uint64), **more)


def test_a_gather_from_an_empty_table_says_so(executor_name: str) -> None:
    row = sd.op("row", "y[t] = w[ids[t]]")
    for call, more in ((row, {"device": executor_name}), (row.reference, {})):
        with pytest.raises(sd.LaunchError) as found:
            call(w=np.ones(0), ids=np.array([0]), **more)
        assert "help: pass a w that is not empty, or read w[ids[t]; 0] to take 0 there" in str(found.value)
