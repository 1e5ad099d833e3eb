"""From `[estimator]` to the block of a filter: one file per kind, with its table, and one line each in `kinds`."""

from .kinds import KINDS

__all__ = ["KINDS"]
