"""Translator from kernels to C99: one C function for each kernel and the kinds of its arguments."""
