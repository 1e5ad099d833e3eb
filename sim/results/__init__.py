"""Results of runs: named quantities, files, plots and warnings."""
