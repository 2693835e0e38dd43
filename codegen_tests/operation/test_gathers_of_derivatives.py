"""A derivative refuses an index outside its axis as the forward does, though it may read nothing by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import shaderdsl as sd

LOOKUP = "y[i, c] = w[ids[i], c]"
COMPUTED = "given w[v, c], ids[i]: i32\nat[i] = ids[i] + 1\ny[i, c] = w[at[i], c]"
LEADING = "y[..., c] = w[ids[...], c]"
BAD = {"w": np.ones((3, 2), np.float32), "ids": np.array([0, 3], np.int32)}
D_Y, T_W = np.ones((2, 2), np.float32), np.ones((3, 2), np.float32)
SAID = "is outside axis"


def derivatives(operation: sd.Op) -> list[tuple[sd.Op, dict[str, Any]]]:
    """Each derivative with arguments for it."""
    first = {**BAD, "d_y": D_Y}
    return [(operation.vjp, first), (operation.jvp, {**BAD, "t_w": T_W}), (operation.vjp.vjp, {**first, "d_d_w": T_W})]


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("formula", [LOOKUP, COMPUTED, LEADING])
@pytest.mark.parametrize("device", ["interpreter", "wgpu", "dawn"])
def test_derivatives_refuse_on_devices(formula: str, number: int, device: str) -> None:
    operation, arguments = derivatives(sd.op("lookup", formula))[number]
    refused(lambda: operation(**arguments, device=device), formula, BAD, device)
    resident: dict[str, Any] = {n: sd.array(v, device=device) for n, v in arguments.items()}
    refused(lambda: operation(**resident), formula, BAD, device)


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("formula", [LOOKUP, COMPUTED, LEADING])
def test_derivatives_refuse_in_the_reference(formula: str, number: int) -> None:
    operation, arguments = derivatives(sd.op("lookup", formula))[number]
    refused(lambda: operation.reference(**arguments), formula, BAD, "interpreter")


def refused(run: Callable[[], Any], formula: str, arguments: dict[str, Any], device: str) -> None:
    """The message is the forward's."""
    with pytest.raises(sd.LaunchError) as forward:
        sd.op("lookup", formula)(**arguments, device=device)
    with pytest.raises(sd.LaunchError) as found:
        run()
    assert found.value.message == forward.value.message
    assert found.value.hints == forward.value.hints


def test_a_fill_is_no_error() -> None:
    operation = sd.op("lookup", "y[i, c] = w[ids[i], c; 0]")
    found = operation.vjp(**BAD, d_y=D_Y, device="interpreter")["w"]
    np.testing.assert_array_equal(found, [[1, 1], [0, 0], [0, 0]])
