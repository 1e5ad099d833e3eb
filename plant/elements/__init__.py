"""Internal elements: wheels, dampers, pendulums, flexible modes and arms."""

from .element import Element
from .flexible_modes import FlexibleModes
from .mass_spring_damper import MassSpringDamper
from .pendulum import Pendulum
from .rigid_part import RigidPart
from .ring_damper import RingDamper
from .ring_friction import ring_friction
from .signal import Signal
from .wheel import Wheel
from .wheel_array import wheel_array

__all__ = [
    "Element",
    "FlexibleModes",
    "MassSpringDamper",
    "Pendulum",
    "RigidPart",
    "RingDamper",
    "Signal",
    "Wheel",
    "ring_friction",
    "wheel_array",
]
