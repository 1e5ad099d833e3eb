"""Translator from kernels to C99: one C function per kernel and combination of argument kinds."""
