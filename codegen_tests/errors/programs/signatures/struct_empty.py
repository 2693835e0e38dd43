"""A structure without members."""

import shaderdsl as sd


@sd.struct
class Empty:
    pass
