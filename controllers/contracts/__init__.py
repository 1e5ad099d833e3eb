"""Contracts: what a law, a block, a reference and a clock are to the loop that runs them."""
