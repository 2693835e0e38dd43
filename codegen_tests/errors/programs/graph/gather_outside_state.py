"""An index outside its axis that was updated in place since."""

import numpy as np

import shaderdsl as sd

after = sd.op("after", "given ids[t]: i32\nnext[t] = ids[t] + 1")
embed = sd.op("embed", "given w[v, c], ids[t]: i32\ny[t, c] = w[ids[t], c]")


@sd.compile(donate=("ids",), device="interpreter")
def step(ids, w):
    return after(ids), embed(w, ids)


step(sd.array(np.array([0, 7], np.int32), device="interpreter"), np.ones((5, 4), np.float32))
