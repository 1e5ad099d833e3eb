"""The laws, their kernels, and what they share."""
