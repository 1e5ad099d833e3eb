"""The sampled loop: what a law sees of a plant, the loop closed or broken open, its margins."""
