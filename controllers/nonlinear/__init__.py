"""Nonlinear laws beside quaternion feedback: energy shaping, sliding mode, rate damping, on-off thrusters."""

from .energy_shaping import EnergyShaping
from .on_off import OnOffThrusters
from .rate_damping import RateDamping
from .sliding_mode import SlidingMode

__all__ = ["EnergyShaping", "OnOffThrusters", "RateDamping", "SlidingMode"]
