"""A buffer without axes."""

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def bad(k: sd.Kernel, x: sd.In[f32]) -> None:
    k.barrier()


bad.wgsl()
