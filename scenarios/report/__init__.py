"""Reports of runs and designs: metrics, verdicts, summaries, console output."""
