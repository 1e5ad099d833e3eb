"""Laws and blocks as flight code: C99, with test vectors that verify it against the simulation."""
