"""Estimators from `[estimator]`. Each kind has a line in `kinds`."""

from .kinds import KINDS

__all__ = ["KINDS"]
