"""Nonlinear laws beside quaternion feedback: energy shaping, sliding mode, rate damping."""

from .energy_shaping import EnergyShaping
from .rate_damping import RateDamping
from .sliding_mode import SlidingMode

__all__ = ["EnergyShaping", "RateDamping", "SlidingMode"]
