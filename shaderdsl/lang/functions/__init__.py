"""The builtin functions of the language, one module a family: `sd.exp(x)`, `sd.max(a, b)`, `sd.pack4x8_snorm(v)`."""
