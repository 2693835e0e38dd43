"""The language: what a user writes in a kernel, and the trace that turns it into IR."""
