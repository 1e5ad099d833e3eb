"""Tuning of law parameters to requirements on the sampled loops of several models simultaneously."""

from .goals import BandGain, Crossings, DiskPeaks, Goal, PoleRadius, SensitivityPeaks, Value
from .parameter_value import ParameterValue
from .quadratic_cost import quadratic_cost
from .tune import Tuned, tune_loops

__all__ = [
    "BandGain",
    "Crossings",
    "DiskPeaks",
    "Goal",
    "ParameterValue",
    "PoleRadius",
    "SensitivityPeaks",
    "Tuned",
    "Value",
    "quadratic_cost",
    "tune_loops",
]
