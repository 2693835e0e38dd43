"""Numbers that are hard to write: the ends of the ranges, -0.0, infinities, NaN."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, i32, u32


@sd.kernel(workgroup_size=1)
def floats(k: sd.Kernel, out: Annotated[sd.Out[f32], "16"]) -> None:
    with k.each(1) as i:
        out[i] = sd.largest(f32)
        out[i + 1] = sd.lowest(f32)
        out[i + 2] = 1.1754943508222875e-38
        out[i + 3] = 1e-45
        out[i + 4] = 0.1
        out[i + 5] = 1e-7
        out[i + 6] = 1000
        out[i + 7] = 3.14159265358979
        out[i + 8] = 7.038531e-26
        out[i + 9] = 123456792.0
        out[i + 10] = 1e20
        out[i + 11] = -0.5
        out[i + 12] = 16777216.0
        out[i + 13] = 0.00001
        out[i + 14] = 0.30000001192092896
        out[i + 15] = 0


@sd.kernel(workgroup_size=1)
def not_numbers(k: sd.Kernel, out: Annotated[sd.Out[f32], "4"], words: Annotated[sd.Out[u32], "3"]) -> None:
    with k.each(1) as i:
        out[i] = sd.inf(f32)
        out[i + 1] = -sd.inf(f32)
        out[i + 2] = sd.nan(f32)
        out[i + 3] = sd.float_bits(0x80000000, f32)
        words[i] = sd.is_nan(sd.nan(f32)).u32
        words[i + 1] = sd.is_inf(sd.inf(f32)).u32
        words[i + 2] = sd.is_finite(sd.inf(f32)).u32


@sd.kernel(workgroup_size=1)
def integers(k: sd.Kernel, signed: Annotated[sd.Out[i32], "3"], unsigned: Annotated[sd.Out[u32], "2"]) -> None:
    with k.each(1) as i:
        signed[i] = -2147483648
        signed[i + 1] = 2147483647
        signed[i + 2] = -1
        unsigned[i] = 4294967295
        unsigned[i + 1] = 0
