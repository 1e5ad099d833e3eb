"""Guidance: moving references as functions of time in closed form.

Attitude, rate and acceleration of each are exact derivatives of one another. Each is compiled like a law.
"""

from typing import TYPE_CHECKING

from ...plant.lazy_names import lazy_name
from .pointing_attitude import pointing_attitude
from .steady_pose import follows_orbit, steady_pose

if TYPE_CHECKING:
    from .eigenaxis_slew import EigenaxisSlew
    from .nadir_pointing import NadirPointing
    from .sampled_reference import SampledReference
    from .spin_up import SpinUp

__all__ = [
    "EigenaxisSlew",
    "NadirPointing",
    "SampledReference",
    "SpinUp",
    "follows_orbit",
    "pointing_attitude",
    "steady_pose",
]

_HOMES = {
    "EigenaxisSlew": ".eigenaxis_slew",
    "NadirPointing": ".nadir_pointing",
    "SampledReference": ".sampled_reference",
    "SpinUp": ".spin_up",
}
"""Module of each name that is imported at its first use."""


def __getattr__(name: str) -> object:
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    """Show what a user calls, not the modules it comes from."""
    return sorted(__all__)
