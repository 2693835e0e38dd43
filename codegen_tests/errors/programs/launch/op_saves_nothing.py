"""An op asked for saved stages that its formula does not name."""

import shaderdsl as sd

square = sd.op("square", "y[i] = x[i] ** 2")
square.with_saved
