"""Guidance: moving references as functions of time in closed form.

Attitude, rate and acceleration of each are exact derivatives of one another. Each is compiled like a law.
"""

from .eigenaxis_slew import EigenaxisSlew
from .nadir_pointing import NadirPointing
from .pointing_attitude import pointing_attitude
from .sampled_reference import SampledReference
from .spin_up import SpinUp
from .steady_pose import follows_orbit, steady_pose

__all__ = [
    "EigenaxisSlew",
    "NadirPointing",
    "SampledReference",
    "SpinUp",
    "follows_orbit",
    "pointing_attitude",
    "steady_pose",
]
