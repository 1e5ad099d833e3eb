"""The engine for flexible satellites: compiled steps, implicit and explicit, and what comes out of them."""

from .run import FLEXIBLE_QUANTITIES, FlexibleRun
from .simulate import HubLaw, simulate_flexible
from .stability import stability_limit, stable_step
from .torque import HubTorque, raised_cosine_torque

__all__ = [
    "FLEXIBLE_QUANTITIES",
    "FlexibleRun",
    "HubLaw",
    "HubTorque",
    "raised_cosine_torque",
    "simulate_flexible",
    "stability_limit",
    "stable_step",
]
