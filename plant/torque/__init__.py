"""Torque inputs in the inertial, body, Euler and dual Euler bases, and their singular poses."""

from .basis import TorqueBasis
from .pulse import TorquePulse
from .singularity import Singularity, singularity

__all__ = ["Singularity", "TorqueBasis", "TorquePulse", "singularity"]
