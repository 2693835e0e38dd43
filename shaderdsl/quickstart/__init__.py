"""The main job in one command: handwritten digits classified by an attention kernel, on whatever device there is."""
