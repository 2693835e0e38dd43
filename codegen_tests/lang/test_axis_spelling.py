"""An axis that Python spells in another normal form is the same axis."""

from __future__ import annotations

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def spelled(k: sd.Kernel, x: Annotated[sd.In[f32], "ﬁelds"], y: Annotated[sd.Out[f32], "fields"]) -> None:
    with k.each(x.fields) as i:
        y[i] = x[i] + 1


def test_axes_are_normalised_as_python_s_names_are() -> None:
    assert spelled(np.zeros(2, np.float32), device="interpreter").tolist() == [1, 1]
