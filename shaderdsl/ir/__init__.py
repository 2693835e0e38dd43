"""The intermediate representation: types, expressions, statements, kernels, and the facts about WGSL's builtins."""
