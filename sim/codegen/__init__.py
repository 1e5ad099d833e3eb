"""Code generation: the kernels as C99, and the engine as one C library."""
