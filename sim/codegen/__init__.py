"""The engine as one C library, written from the kernels."""
