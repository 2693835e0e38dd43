"""An array type with a bad count."""

from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.struct
class Row:
    items: Annotated[sd.Array[f32], "n"]
