"""Compiled simulation loop: its arrays, and the kernels that advance it between breakpoints."""
