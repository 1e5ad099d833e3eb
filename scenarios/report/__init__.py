"""What is said of a run or a design: metrics, verdicts, summaries, screens."""
