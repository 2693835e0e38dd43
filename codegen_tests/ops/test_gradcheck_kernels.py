"""A hand-written kernel comes with its backward: held to the differences of the kernel itself."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def scaled_square(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n"], w: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]
) -> None:
    with k.each(x.n) as i:
        y[i] = w[i] * x[i] * x[i]


@sd.kernel
def right(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "n"],
    w: Annotated[sd.In[f32], "n"],
    d_y: Annotated[sd.In[f32], "n"],
    d_w: Annotated[sd.Out[f32], "n"],
    d_x: Annotated[sd.Out[f32], "n"],
) -> None:
    with k.each(x.n) as i:
        d_x[i] = 2.0 * w[i] * x[i] * d_y[i]
        d_w[i] = x[i] * x[i] * d_y[i]


def without_the_two(x: Any, w: Any, d_y: Any) -> dict[str, Any]:
    return {"x": w * x * d_y, "w": x * x * d_y}


@pytest.mark.parametrize("seed", range(3))
def test_a_kernel_is_held_to_its_own_differences(seed: int) -> None:
    assert sd.gradcheck(scaled_square, backward=right, seed=seed).ok
    assert sd.gradcheck(scaled_square, backward=right, seed=seed, x=np.array([1, 2, 3], np.float32)).ok
    assert not sd.gradcheck(scaled_square, backward=without_the_two, seed=seed).ok


def test_a_kernel_without_a_backward_is_refused() -> None:
    with pytest.raises(sd.LaunchError, match="from which no backward is derived"):
        sd.gradcheck(scaled_square)


@pytest.mark.parametrize("formula", ["y[i] = x[i] * abs(cosh(1.5))", "y[i] = x[i] * abs(tanh(-1.5))"])
def test_constants_that_fold_derive(formula: str) -> None:
    assert sd.gradcheck(sd.op("f", formula)).ok


@pytest.mark.parametrize("constant", ["sqrt(-1)", "log(-1)", "1 / 0", "log(0)", "0 ** -1"])
def test_constants_that_are_no_real_numbers_are_refused(constant: str) -> None:
    with pytest.raises(sd.SpecError, match="no finite real number"):
        _ = sd.op("f", f"y[i] = x[i] * ({constant})").vjp.formula
