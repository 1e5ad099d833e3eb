"""Kernels written out as C99: syntax trees, translated whole, a function of C for each kernel and kinds it takes."""
