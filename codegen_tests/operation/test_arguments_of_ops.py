"""What `sd.op`, `kernels` and references are given, and refuse in the user's line."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shaderdsl as sd

DOUBLE = "y[i] = 2 * x[i]"


@pytest.mark.parametrize("name", ["", "1x", 3, "a\nb", None])
def test_a_name_is_an_identifier(name: Any) -> None:
    with pytest.raises(sd.SpecError, match="which is no name") as found:
        sd.op(name, DOUBLE)
    assert __file__ in str(found.value.loc)


@pytest.mark.parametrize("formula", [3, None, b"y[i] = x[i]"])
def test_a_formula_is_a_text(formula: Any) -> None:
    with pytest.raises(sd.SpecError, match="not a text"):
        sd.op("a", formula)


@pytest.mark.parametrize("library", [3, {"b": 3}, {"b": "y[i] = x[i]"}])
def test_a_library_holds_ops(library: Any) -> None:
    with pytest.raises(sd.SpecError, match="which is no op"):
        sd.op("a", DOUBLE, library=library)


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        ({"q": (2, 3)}, "has no tensor q"),
        ({"x": (2, 3)}, "not 1 sizes"),
        ({"x": 3}, "not 1 sizes"),
        ({"x": "a"}, "not 1 sizes"),
        ({"x": (-1,)}, "not 1 sizes"),
    ],
)
def test_shapes_are_of_tensors(shapes: dict[str, Any], said: str) -> None:
    operation = sd.op("a", DOUBLE)
    for method in (operation.kernels, operation.wgsl):
        with pytest.raises(sd.SpecError, match=said):
            method(**shapes)


@pytest.mark.parametrize(
    ("formula", "arguments", "said"),
    [
        ("given a[i]: u32\ny[i] = a[i] * 2", {"a": np.array([-1])}, "does not hold"),
        ("given a[i]: u32\ny[i] = a[i] * 2", {"a": np.array([2**33])}, "does not hold"),
        ("given a[i]: i32\ny[i] = a[i] * 2", {"a": np.array([2**31])}, "does not hold"),
        ("y[t] = x[t - k]", {"x": np.ones(3), "k": 2**40}, "does not hold"),
        ("y[i < n] = x[i]", {"x": np.ones(3), "n": 10**12}, "does not hold"),
        ("y[i < n, j < n] = x[i] * x[j]", {"x": np.ones(3), "n": 2**20}, "more than a u32 counts"),
    ],
)
def test_the_reference_refuses_what_devices_refuse(formula: str, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(sd.LaunchError, match=said):
        sd.op("a", formula).reference(**arguments)
