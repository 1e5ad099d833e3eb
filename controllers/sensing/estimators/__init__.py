"""Attitude estimation: single-frame solutions, filters for records and loops, steady-state accuracy.

Conventions: Euler parameters are scalar first, a_inertial = R(e) a_body, and attitude errors a are in body axes on the
right, e = e^ o Exp(a).
"""

from .complementary import ComplementaryFilter
from .estimate import Estimate, chi_square_band
from .farrenkopf import SteadyState, farrenkopf
from .fix import AttitudeFix
from .kalman import KalmanEstimate, KalmanFilter
from .mekf import MEKF
from .sightings import AttitudeSightings, RateRecord, VectorSightings
from .triad import triad
from .usque import USQUE
from .wahba import wahba

__all__ = [
    "MEKF",
    "USQUE",
    "AttitudeFix",
    "AttitudeSightings",
    "ComplementaryFilter",
    "Estimate",
    "KalmanEstimate",
    "KalmanFilter",
    "RateRecord",
    "SteadyState",
    "VectorSightings",
    "chi_square_band",
    "farrenkopf",
    "triad",
    "wahba",
]
