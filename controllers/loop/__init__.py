"""The sampled loop: a law's measurement, the closed or opened loop, and the loop's margins."""
