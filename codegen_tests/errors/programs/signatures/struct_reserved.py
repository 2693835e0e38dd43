"""A structure's member with a reserved name."""

import shaderdsl as sd
from shaderdsl import f32


@sd.struct
class Pair:
    type: f32
    b: f32
