"""Machine code: compiled, kept on disk, and linked by later processes."""
