"""Allocation: how a torque is shared among wheels or thrusters, and the torques they can give."""

from .thruster_allocation import ThrusterAllocation
from .wheel_allocation import WheelAllocation

__all__ = ["ThrusterAllocation", "WheelAllocation"]
