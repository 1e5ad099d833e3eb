"""Tuning of law parameters so that the sampled loops of several models all meet requirements."""

from .consistency import EstimateConsistency
from .goals import BandGain, Crossings, DecayRate, DiskPeaks, Goal, PoleRadius, SensitivityPeaks, Value
from .parameter_value import ParameterValue
from .quadratic_cost import quadratic_cost
from .tune import Tuned, tune_loops

__all__ = [
    "BandGain",
    "Crossings",
    "DecayRate",
    "DiskPeaks",
    "EstimateConsistency",
    "Goal",
    "ParameterValue",
    "PoleRadius",
    "SensitivityPeaks",
    "Tuned",
    "Value",
    "quadratic_cost",
    "tune_loops",
]
