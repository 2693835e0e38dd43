"""A structure that inherits."""

import shaderdsl as sd
from shaderdsl import f32


class Base:
    a: f32


@sd.struct
class Pair(Base):
    b: f32
