"""Laws and blocks as flight code: C99, and the test vectors that show that it is the one that was flown."""
