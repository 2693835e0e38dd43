"""RMS norm, one workgroup a row, held to numpy: python examples/rms_norm.py"""

from __future__ import annotations

from typing import Annotated

import numpy as np

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel(workgroup_size=256)
def rms_norm(
    k: sd.Kernel,
    x: Annotated[sd.In[f32], "rows, cols"],
    gain: Annotated[sd.In[f32], "cols"],
    y: Annotated[sd.Out[f32], "rows, cols"],
    eps: sd.Param[f32],
) -> None:
    with k.each_group(x.rows) as row:
        total = k.var(f32(0))
        for c in k.range(k.local_id.x, x.cols, 256):
            total += x[row, c] * x[row, c]
        scale = sd.inverse_sqrt(k.group_sum(total.value) / x.cols.f32 + eps)
        for c in k.range(k.local_id.x, x.cols, 256):
            y[row, c] = x[row, c] * scale * gain[c]


def main() -> None:
    random = np.random.default_rng(0)
    x = random.standard_normal((70, 300)).astype(np.float32)
    gain = random.standard_normal(300).astype(np.float32)
    wide = x.astype(np.float64)
    expected = wide / np.sqrt((wide * wide).mean(axis=1, keepdims=True) + 1e-6) * gain
    print(rms_norm.wgsl())
    print(f"largest error against float64: {np.abs(rms_norm(x, gain, eps=1e-6) - expected).max():.1e}")


if __name__ == "__main__":
    main()
