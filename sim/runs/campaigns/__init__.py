"""Campaigns: many runs of a simulation with dispersed parameters, and statistics of the results."""

from .campaign import campaign
from .distribution import Distribution
from .distributions import Choice, LogNormal, Normal, Uniform
from .draws import Correlated, Draw
from .joint_distributions import Componentwise, Direction, Inertia, Rotation
from .outcome import BatchRunner, Outcome
from .plans import PLANS
from .result import STATUS, Campaign
from .sobol import SobolIndex
from .statistics import chance_correlation, clopper_pearson, one_sided, rank_correlation, runs_needed
from .worst_case import WorstCase, worst_case

__all__ = [
    "PLANS",
    "STATUS",
    "BatchRunner",
    "Campaign",
    "Choice",
    "Componentwise",
    "Correlated",
    "Direction",
    "Distribution",
    "Draw",
    "Inertia",
    "LogNormal",
    "Normal",
    "Outcome",
    "Rotation",
    "SobolIndex",
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
