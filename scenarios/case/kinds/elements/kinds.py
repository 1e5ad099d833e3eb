"""Registry of element kinds, one line each: the file of a kind, or its name and class."""

from typing import TYPE_CHECKING

from ..kinds import Kinds

if TYPE_CHECKING:
    from .kind import ElementKind

FILES = (
    "cmg_array",
    "control-moment-gyro = plant.elements.control_moment_gyro:ControlMomentGyro",
    "flexible_arm",
    "flexible_modes",
    "hinged-panel = plant.elements.hinged_panel:HingedPanel",
    "hysteresis-rod = plant.elements.hysteresis_rod:HysteresisRod",
    "imbalanced-wheel = plant.elements.imbalanced_wheel:ImbalancedWheel",
    "mass-spring-damper = plant.elements.mass_spring_damper:MassSpringDamper",
    "panel_chain",
    "pendulum = plant.elements.pendulum:Pendulum",
    "ring_damper",
    "viscous_wheel",
    "wheel = plant.elements.wheel:Wheel",
    "wheel_array",
)

KINDS: "Kinds[ElementKind]" = Kinds(__name__, FILES)
