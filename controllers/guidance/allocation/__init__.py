"""Control allocation: distribution of a torque over wheels, thrusters or gyros, and the attainable torques."""

from .basis_torque import BasisTorque, to_basis
from .gyro_allocation import GyroAllocation
from .thruster_allocation import ThrusterAllocation
from .wheel_allocation import WheelAllocation
from .wheel_shares import wheel_shares

__all__ = ["BasisTorque", "GyroAllocation", "ThrusterAllocation", "WheelAllocation", "to_basis", "wheel_shares"]
