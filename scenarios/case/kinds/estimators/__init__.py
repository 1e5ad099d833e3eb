"""Estimators from `[estimator]`: one file per kind with its table, and one line per kind in `kinds`."""

from .kinds import KINDS

__all__ = ["KINDS"]
