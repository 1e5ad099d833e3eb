"""Contracts: interfaces between the loop and the laws, blocks, references and clocks that it runs."""
