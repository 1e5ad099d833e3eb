"""Building blocks of kernels: decorator, named offsets, vectors, rotations."""
