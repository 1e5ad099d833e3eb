"""Control laws, their kernels, and common parts."""
