"""The sampled loop: a law's measurement, the loop, closed or broken, and the loop's margins."""
