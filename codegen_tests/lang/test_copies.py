"""Records of Python that hold values of a kernel can be copied, as dataclasses do by themselves."""

from __future__ import annotations

import copy
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@dataclass
class State:
    value: f32
    total: sd.Var[f32]
    buffer: Any


@sd.kernel
def copied(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        state = State(x[i], k.var(x[i] * 2), x)
        deep, shallow, plain = copy.deepcopy(state), copy.copy(state), asdict(state)
        deep.total += 1
        y[i] = deep.value + shallow.total.value + plain["total"].value + plain["buffer"][i]


def test_a_copy_is_the_thing_itself() -> None:
    assert copied(np.array([1, 2], np.float32), device="interpreter").tolist() == [8, 14]
