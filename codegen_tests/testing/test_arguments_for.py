"""Arguments drawn for a kernel's signature are arguments that a launch takes."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis.errors import NoSuchExample

import shaderdsl as sd
from shaderdsl import f16, f32, i32, u32
from shaderdsl.testing import strategies


@sd.struct
class Sample:
    where: sd.vec3f
    weight: f32
    bins: Annotated[sd.Array[u32], 3]


@sd.kernel(workgroup_size=64)
def everything(
    k: sd.Kernel,
    samples: Annotated[sd.In[Sample], "n"],
    counts: Annotated[sd.InOut[sd.Atomic[i32]], "n, width"],
    made: Annotated[sd.Out[sd.vec2f], "n, m"],
    halves: Annotated[sd.In[f16], "3, n"],
    scale: sd.Param[f32],
    flag: sd.Param[sd.bool_],
    turn: sd.Param[sd.mat2x2f],
    width: sd.Static[int] = 4,
) -> None:
    with k.each(samples.n) as i:
        counts[i, width - 1].add(sd.select(i32(0), i32(1), flag))
        made[i, 0] = turn * samples[i].where.xy * scale + halves[2, i].f32


@sd.kernel(workgroup_size=64)
def folded(
    k: sd.Kernel, x: Annotated[sd.In[f32], "n, parts"], y: Annotated[sd.Out[f32], "n"], parts: sd.Static[int]
) -> None:
    with k.each(x.n) as i:
        y[i] = x[i, parts - 1]


@settings(max_examples=30, deadline=None)
@given(strategies.arrays_for(everything))
def test_a_launch_takes_them(given: dict[str, Any]) -> None:
    n, m = len(given["samples"]), given["axes"]["m"]
    result = everything(**given, device="interpreter")
    assert given["counts"].shape == (n, 4)
    assert given["halves"].shape == (3, n)
    assert result["made"].shape == (n, m, 2)


@settings(max_examples=30, deadline=None)
@given(strategies.arrays_for(folded, parts=3))
def test_static_arguments_size_axes(given: dict[str, Any]) -> None:
    assert given["x"].shape[1] == given["parts"] == 3
    assert np.array_equal(folded(**given, device="interpreter"), given["x"][:, 2], equal_nan=True)


@settings(max_examples=30, deadline=None)
@given(strategies.arrays_for(everything, exact=True))
def test_exact_numbers_are_eighths(given: dict[str, Any]) -> None:
    eighths = np.concatenate([given["samples"]["weight"], given["turn"].ravel(), [given["scale"]]]) * 8
    assert np.array_equal(eighths, np.round(eighths))
    assert np.abs(eighths).max() <= 32


def test_nan_comes_only_when_asked() -> None:
    some = strategies.arrays_for(folded, parts=1, finite=False)
    assert np.isnan(find(some, lambda given: bool(np.isnan(given["x"]).any()))["x"]).any()
    with pytest.raises(NoSuchExample):
        find(
            strategies.arrays_for(folded, parts=1),
            lambda given: not np.isfinite(given["x"]).all(),
            settings=settings(max_examples=200),
        )
