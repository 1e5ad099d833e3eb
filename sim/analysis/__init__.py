"""Analysis of the loop that flies: margins, linear models and proofs of stability held against the simulation."""
