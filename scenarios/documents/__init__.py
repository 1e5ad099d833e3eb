"""The documents behind polhode: their tables, their figures, and what polhode reaches of them."""
