"""What kernels are written in: the mark, named offsets, vectors, rotations."""
