"""Facts about kernels: what they write, what they need."""
