"""A function called outside a kernel."""

import shaderdsl as sd
from shaderdsl import f32


@sd.function
def half(a: f32) -> f32:
    return a / 2


half(1.0)
