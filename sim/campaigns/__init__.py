"""Campaigns: many flights of one thing with scattered numbers, and what they say of all."""

from .campaign import campaign
from .distribution import Distribution
from .distributions import Choice, LogNormal, Normal, Uniform
from .draws import Correlated, Draw
from .flight import Flight, Together
from .joint_distributions import Direction, Each, Inertia, Rotation
from .plans import PLANS
from .result import STATUS, Campaign
from .sobol import SobolIndex
from .statistics import chance_correlation, clopper_pearson, one_sided, rank_correlation, runs_needed
from .worst_case import WorstCase, worst_case

__all__ = [
    "PLANS",
    "STATUS",
    "Campaign",
    "Choice",
    "Correlated",
    "Direction",
    "Distribution",
    "Draw",
    "Each",
    "Flight",
    "Inertia",
    "LogNormal",
    "Normal",
    "Rotation",
    "SobolIndex",
    "Together",
    "Uniform",
    "WorstCase",
    "campaign",
    "chance_correlation",
    "clopper_pearson",
    "one_sided",
    "rank_correlation",
    "runs_needed",
    "worst_case",
]
