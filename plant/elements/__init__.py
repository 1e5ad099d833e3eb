"""Internal elements: wheels, dampers, pendulums, flexible modes and arms."""

from typing import TYPE_CHECKING

from ..lazy_names import lazy_name
from .gyro_array import gyro_array, pyramid_axes
from .ring_friction import ring_friction
from .wheel_array import wheel_array

if TYPE_CHECKING:
    from .control_moment_gyro import ControlMomentGyro
    from .element import Element
    from .flexible_modes import FlexibleModes
    from .hinged_panel import HingedPanel
    from .hysteresis_rod import HysteresisRod
    from .imbalanced_wheel import ImbalancedWheel
    from .mass_spring_damper import MassSpringDamper
    from .panel_chain import PanelChain
    from .pendulum import Pendulum
    from .propulsion import Propulsion
    from .rigid_part import RigidPart
    from .ring_damper import RingDamper
    from .signal import Signal
    from .wheel import Wheel

__all__ = [
    "ControlMomentGyro",
    "Element",
    "FlexibleModes",
    "HingedPanel",
    "HysteresisRod",
    "ImbalancedWheel",
    "MassSpringDamper",
    "PanelChain",
    "Pendulum",
    "Propulsion",
    "RigidPart",
    "RingDamper",
    "Signal",
    "Wheel",
    "gyro_array",
    "pyramid_axes",
    "ring_friction",
    "wheel_array",
]

_HOMES = {
    "ControlMomentGyro": ".control_moment_gyro",
    "Element": ".element",
    "FlexibleModes": ".flexible_modes",
    "MassSpringDamper": ".mass_spring_damper",
    "HingedPanel": ".hinged_panel",
    "HysteresisRod": ".hysteresis_rod",
    "ImbalancedWheel": ".imbalanced_wheel",
    "PanelChain": ".panel_chain",
    "Pendulum": ".pendulum",
    "Propulsion": ".propulsion",
    "RigidPart": ".rigid_part",
    "RingDamper": ".ring_damper",
    "Signal": ".signal",
    "Wheel": ".wheel",
}
"""Module of each lazily imported name."""


def __getattr__(name: str) -> object:
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    """List the public names, not the modules that define them."""
    return sorted(__all__)
