"""Monte Carlo campaigns and worst-case search over the dispersions of a case."""
