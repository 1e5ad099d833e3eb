"""Translator from kernels to C99: one C function for each kernel and each combination of argument kinds."""
