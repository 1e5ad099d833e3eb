"""Tuning of a case: free parameters, requirements as goals, counter-examples within the dispersions."""

from .tune_case import TunedCase, tune_case

__all__ = ["TunedCase", "tune_case"]
