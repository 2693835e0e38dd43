"""@sd.struct on a function."""

import shaderdsl as sd
from shaderdsl import f32


@sd.struct
def pair(a: f32) -> f32:
    return a
