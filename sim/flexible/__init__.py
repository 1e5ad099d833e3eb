"""The engine for flexible satellites: compiled steps, implicit and explicit, and what comes out of them."""

from .law_on_hub import law_on_hub
from .pulses import HubPulse, pulses_torque
from .residual import ResidualVibration, residual_vibration
from .run import FLEXIBLE_QUANTITIES, FlexibleRun
from .simulate import HubLaw, simulate_flexible
from .stability import stability_limit, stable_step
from .torque import HubTorque, raised_cosine_torque

__all__ = [
    "FLEXIBLE_QUANTITIES",
    "FlexibleRun",
    "HubLaw",
    "HubPulse",
    "HubTorque",
    "ResidualVibration",
    "law_on_hub",
    "pulses_torque",
    "raised_cosine_torque",
    "residual_vibration",
    "simulate_flexible",
    "stability_limit",
    "stable_step",
]
