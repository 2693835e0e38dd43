"""A module of no kernels."""

import shaderdsl as sd

sd.module_wgsl()
