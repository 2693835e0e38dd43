"""Attention as one kernel: online softmax over tiles of keys in shared memory.

    out[i] = sum_j softmax_j(scale * queries[i] . keys[j]) * values[j]

One invocation a query. A workgroup brings a tile of keys and values into shared memory, every invocation folds the tile into its
running maximum, sum and weighted values, and the next tile follows; no row of scores is ever stored.
"""

from __future__ import annotations

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, vec4f

QUERIES = 64  # queries of a workgroup, one an invocation
TILE = 32  # keys in shared memory at a time
QUADS = 16  # 64 features as vec4f
CLASSES = 10
LOWEST = -1e30  # where a running maximum starts: finite, so that exp(LOWEST - score) is 0 and never NaN


@sd.kernel(workgroup_size=QUERIES)
def attention(
    k: sd.Kernel,
    queries: Annotated[sd.In[vec4f], "rows, 16"],
    keys: Annotated[sd.In[vec4f], "count, 16"],
    values: Annotated[sd.In[f32], "count, 10"],
    out: Annotated[sd.Out[f32], "rows, 10"],
    scale: sd.Param[f32],
) -> None:
    """queries (rows, 64), keys (count, 64), values (count, 10) give out (rows, 10); the rows of out sum to 1 if those of values do."""
    key_tile = k.shared(vec4f, TILE, QUADS)
    value_tile = k.shared(f32, TILE, CLASSES)
    with k.each_group((queries.rows + (QUERIES - 1)) // QUERIES) as block:
        row = block * QUERIES + k.local_index
        query = k.array(vec4f, QUADS)
        with k.if_(row < queries.rows):
            for quad in k.range(QUADS):
                query[quad] = queries[row, quad]
        best = k.var(f32(LOWEST))
        total = k.var(f32(0))
        weighted = k.array(f32, CLASSES)
        for start in k.range(0, keys.count, TILE):
            present = sd.min(keys.count - start, TILE)
            for e in k.range(k.local_index, present * QUADS, QUERIES):
                key_tile[e // QUADS, e % QUADS] = keys[start + e // QUADS, e % QUADS]
            for e in k.range(k.local_index, present * CLASSES, QUERIES):
                value_tile[e // CLASSES, e % CLASSES] = values[start + e // CLASSES, e % CLASSES]
            k.barrier()
            for j in k.range(present):
                dot = k.var(f32(0))
                for quad in k.range(QUADS):
                    dot += sd.dot(query[quad], key_tile[j, quad])
                score = dot.value * scale
                highest = sd.max(best.value, score)
                shrink = sd.exp(best.value - highest)
                weight = sd.exp(score - highest)
                total.value = total.value * shrink + weight
                for c in k.range(CLASSES):
                    weighted[c] = weighted[c] * shrink + weight * value_tile[j, c]
                best.value = highest
            k.barrier()
        with k.if_(row < queries.rows):
            for c in k.range(CLASSES):
                out[row, c] = weighted[c] / total.value
