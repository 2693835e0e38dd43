"""An array type without a count."""

import shaderdsl as sd
from shaderdsl import f32


@sd.struct
class Row:
    items: sd.Array[f32]
