"""@sd.kernel on a class."""

import shaderdsl as sd


@sd.kernel
class Bad:
    pass
