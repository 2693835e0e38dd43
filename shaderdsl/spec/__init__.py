"""Formulas: notation, scalar forms, derivation and proof (sympy lives here)."""
