"""The sampled loop: the measurement of a law, the closed or opened loop, and its margins."""
