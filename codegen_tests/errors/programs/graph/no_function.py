"""A plan of what is no function."""

import shaderdsl as sd

sd.compile(3)
