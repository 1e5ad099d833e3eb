"""Guidance: moving references as closed-form functions of time.

In each reference, the rate and acceleration are exact derivatives of the attitude. References are compiled like laws.
"""

from typing import TYPE_CHECKING

from ...plant.lazy_names import lazy_name
from .pointing_attitude import pointing_attitude
from .steady_pose import follows_orbit, steady_pose

if TYPE_CHECKING:
    from .eigenaxis_slew import EigenaxisSlew
    from .input_shapers import shaper_impulses, shaper_vibration
    from .nadir_pointing import NadirPointing
    from .optimal import KeepOutSlew, PointingCone, TimeOptimalSlew
    from .orbit_pointing import OrbitPointing
    from .sampled_reference import SampledReference
    from .shaped_reference import ShapedReference
    from .spin_up import SpinUp

__all__ = [
    "EigenaxisSlew",
    "KeepOutSlew",
    "NadirPointing",
    "OrbitPointing",
    "PointingCone",
    "SampledReference",
    "ShapedReference",
    "SpinUp",
    "TimeOptimalSlew",
    "follows_orbit",
    "pointing_attitude",
    "shaper_impulses",
    "shaper_vibration",
    "steady_pose",
]

_HOMES = {
    "EigenaxisSlew": ".eigenaxis_slew",
    "KeepOutSlew": ".optimal",
    "NadirPointing": ".nadir_pointing",
    "OrbitPointing": ".orbit_pointing",
    "PointingCone": ".optimal",
    "SampledReference": ".sampled_reference",
    "ShapedReference": ".shaped_reference",
    "SpinUp": ".spin_up",
    "TimeOptimalSlew": ".optimal",
    "shaper_impulses": ".input_shapers",
    "shaper_vibration": ".input_shapers",
}
"""Module of each name that is imported on first access."""


def __getattr__(name: str) -> object:
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    """Return the public names, without the modules that define them."""
    return sorted(__all__)
