"""Torque inputs in the inertial, body, Euler and dual Euler bases, and their singular poses."""

from .bases import TorqueBases
from .basis import TorqueBasis
from .explorer import explore_bases
from .pulse import TorquePulse
from .singularity import Singularity, singularity
from .wheel_fault import WheelFault

__all__ = ["Singularity", "TorqueBases", "TorqueBasis", "TorquePulse", "WheelFault", "explore_bases", "singularity"]
