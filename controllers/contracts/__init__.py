"""Contracts: interfaces of laws, blocks, references and clocks to the loop that runs them."""
