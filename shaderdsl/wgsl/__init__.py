"""WGSL as text: how values, names, expressions and modules are spelled, and how text is read back."""
