"""A notebook shows the diagnostic alone."""

from __future__ import annotations

from typing import Annotated

import pytest

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def wrong(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] + i  # pyright: ignore[reportOperatorIssue] (the mistake)


def test_the_frames_of_the_compiler_are_left_out() -> None:
    with pytest.raises(sd.KernelTypeError) as caught:
        wrong.wgsl()
    lines = caught.value._render_traceback_()
    assert lines[0] == "KernelTypeError: "
    assert lines[1].endswith("error: cannot add f32 and u32 [type]")
    assert not any("shaderdsl/lang" in line for line in lines)
