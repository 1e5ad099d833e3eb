"""Analysis of the simulated loop: comparison of margins, linear models and stability proofs with the simulation."""
