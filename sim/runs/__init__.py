"""Runs: the specification of a run, one run, batches and campaigns."""
