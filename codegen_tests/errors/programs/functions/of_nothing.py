"""@sd.function on something else."""

import shaderdsl as sd

sd.function(3)
