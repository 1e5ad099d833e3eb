"""Comparison of margins, linear models and stability proofs with the nonlinear simulation."""
