"""A structure with a method."""

import shaderdsl as sd
from shaderdsl import f32


@sd.struct
class Pair:
    a: f32
    b: f32

    def total(self) -> f32:
        return self.a + self.b
