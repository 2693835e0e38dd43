"""Names that WGSL reserves, predeclares or that would hide one another."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32, u32


@sd.struct
class texture:  # noqa: N801 (the name is the case)
    filter: f32
    ref: u32


@sd.kernel(entry_point="main")
def reserved(
    k: sd.Kernel,
    target: Annotated[sd.In[f32], "array"],
    storage: Annotated[sd.InOut[texture], "array"],
    self: sd.Param[f32],
    vec3f: Annotated[sd.Out[f32], "array"],
) -> None:
    with k.each(target.array) as loop:
        override = target[loop]
        fn = k.var(override * self)
        const = storage[loop]
        fn += const.filter
        storage.at(loop).ref = const.ref + 1
        vec3f[loop] = fn.value


@sd.kernel
def shadows(k: sd.Kernel, params: Annotated[sd.In[f32], "n"], abs: Annotated[sd.Out[f32], "n"]) -> None:
    """Locals may be called like the uniform, a builtin, or one another in sibling blocks."""
    with k.each(params.n) as workgroup_id:
        min = k.var(f32(0))  # noqa: A001
        for i in k.range(2):
            x = params[workgroup_id] + i.f32
            min += x * x  # noqa: A001
        for i in k.range(3):
            x = params[workgroup_id] - i.f32
            min += x * x  # noqa: A001
        abs[workgroup_id] = sd.abs(min.value)


@sd.kernel
def größe(
    k: sd.Kernel,
    länge: Annotated[sd.In[f32], "n"],
    breite: Annotated[sd.In[f32], "n"],
    fläche: Annotated[sd.Out[f32], "n"],
) -> None:
    with k.each(länge.n) as i:
        höhe = länge[i]
        fläche[i] = höhe * höhe + breite[i]
