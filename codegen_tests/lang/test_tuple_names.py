"""Names of tuple assignments reach the WGSL as those of single ones do."""

from __future__ import annotations

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def pairs(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        twice, half = x[i] * 2, x[i] / 2
        y[i] = twice * half + twice / half


def test_each_target_names_its_own_operation() -> None:
    text = pairs.wgsl()
    assert "let twice = x[i] * 2.0f;" in text
    assert "let half = x[i] / 2.0f;" in text
