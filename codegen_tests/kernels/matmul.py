"""Matrix products: tiles in shared memory, a static tile size."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel(workgroup_size=(16, 16))
def tiled(
    k: sd.Kernel,
    a: Annotated[sd.In[f32], "m, inner"],
    b: Annotated[sd.In[f32], "inner, n"],
    c: Annotated[sd.Out[f32], "m, n"],
) -> None:
    left = k.shared(f32, 16, 16)
    right = k.shared(f32, 16, 16)
    with k.each_group((a.m + 15) // 16, (b.n + 15) // 16) as (tile_row, tile_column):
        x = k.local_id.x
        y = k.local_id.y
        row = tile_row * 16 + y
        column = tile_column * 16 + x
        total = k.var(f32(0))
        for start in k.range(0, a.inner, 16):
            left[y, x] = 0
            right[y, x] = 0
            with k.if_((row < a.m) & (start + x < a.inner)):
                left[y, x] = a[row, start + x]
            with k.if_((start + y < a.inner) & (column < b.n)):
                right[y, x] = b[start + y, column]
            k.barrier()
            for i in k.range(16):
                total += left[y, i] * right[i, x]
            k.barrier()
        with k.if_((row < a.m) & (column < b.n)):
            c[row, column] = total.value


@sd.kernel(workgroup_size=(8, 8))
def blocked(
    k: sd.Kernel,
    a: Annotated[sd.In[f32], "m, inner"],
    b: Annotated[sd.In[f32], "inner, n"],
    c: Annotated[sd.Out[f32], "m, n"],
    tile: sd.Static[int] = 2,
) -> None:
    """Each invocation computes `tile` neighbours of a row in registers; Python's loops unroll."""
    with k.each(a.m, (b.n + (tile - 1)) // tile) as (row, block):
        totals = [k.var(f32(0)) for _ in range(tile)]
        for i in k.range(a.inner):
            value = a[row, i]
            for j, total in enumerate(totals):
                with k.if_(block * tile + j < b.n):
                    total += value * b[i, block * tile + j]
        for j, total in enumerate(totals):
            with k.if_(block * tile + j < b.n):
                c[row, block * tile + j] = total.value
