"""Control laws, their kernels, and code that the laws share."""
