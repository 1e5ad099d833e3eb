"""Tuning of a case: its free parameters, its requirements as goals, counter-examples within its dispersions."""

from .tune_case import TunedCase, tune_case

__all__ = ["TunedCase", "tune_case"]
