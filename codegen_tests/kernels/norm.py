"""Row kernels: one workgroup a row, collectives in between."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32

Rows = Annotated[sd.In[f32], "rows, cols"]
Columns = Annotated[sd.In[f32], "cols"]
Result = Annotated[sd.Out[f32], "rows, cols"]


@sd.kernel(workgroup_size=256)
def rms_norm(k: sd.Kernel, x: Rows, gain: Columns, y: Result, eps: sd.Param[f32]) -> None:
    with k.each_group(x.rows) as row:
        total = k.var(f32(0))
        for c in k.range(k.local_id.x, x.cols, 256):
            total += x[row, c] * x[row, c]
        scale = sd.inverse_sqrt(k.group_sum(total.value) / x.cols.f32 + eps)
        for c in k.range(k.local_id.x, x.cols, 256):
            y[row, c] = x[row, c] * scale * gain[c]


@sd.kernel(workgroup_size=128)
def layer_norm(k: sd.Kernel, x: Rows, gain: Columns, bias: Columns, y: Result, eps: sd.Param[f32]) -> None:
    with k.each_group(x.rows) as row:
        total = k.var(f32(0))
        for c in k.range(k.local_index, x.cols, 128):
            total += x[row, c]
        mean = k.group_sum(total.value) / x.cols.f32
        total.value = f32(0)
        for c in k.range(k.local_index, x.cols, 128):
            distance = x[row, c] - mean
            total += distance * distance
        scale = sd.inverse_sqrt(k.group_sum(total.value) / x.cols.f32 + eps)
        for c in k.range(k.local_index, x.cols, 128):
            y[row, c] = (x[row, c] - mean) * scale * gain[c] + bias[c]


@sd.kernel(workgroup_size=64)
def softmax(k: sd.Kernel, x: Rows, y: Result) -> None:
    with k.each_group(x.rows) as row:
        best = k.var(sd.lowest(f32))
        for c in k.range(k.local_index, x.cols, 64):
            best.value = sd.max(best.value, x[row, c])
        peak = k.group_max(best.value)
        total = k.var(f32(0))
        for c in k.range(k.local_index, x.cols, 64):
            total += sd.exp(x[row, c] - peak)
        inverse = 1 / k.group_sum(total.value)
        for c in k.range(k.local_index, x.cols, 64):
            y[row, c] = sd.exp(x[row, c] - peak) * inverse
