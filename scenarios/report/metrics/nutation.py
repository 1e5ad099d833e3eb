"""Nutation, which only a spin has: the angle from the momentum to the axis that the craft spins about at the start.

A run is of a spin when the craft has elements (a rigid body nutates for ever alike), starts with a tenth of the
largest angular momentum that it ever has, and no law holds it to an attitude at rest. Under a law that brings a craft
to rest, or a torque that sets it turning, the axis of the start means nothing later.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....controllers.guidance import steady_pose
from .kind import DoesNotApplyError, MetricSettings, largest, metric, size

if TYPE_CHECKING:
    from ....sim import Run

__all__ = ["why_no_spin"]

SHARE = 0.1


def why_no_spin(run: "Run") -> str:
    """Return why the motion of a run is no spin, so that there is no nutation; empty where it is one."""
    if "nutation" not in run.names:
        return "the craft has no [[plant.elements]]"
    if run.law is not None and run.reference is not None and not np.any(steady_pose(run.reference)[1]):
        return "a law holds the craft to an attitude at rest, so it does not spin"
    start, most = float(np.linalg.norm(run.start[:3])), largest(run, "momentum", size)
    if start <= SHARE * most or start == 0.0:
        return "the craft does not spin at the start"
    carried = largest(run, "internal_momentum", np.abs) if "internal_momentum" in run.names else 0.0
    return "" if most > 1e-12 * carried else "the craft has no angular momentum beyond rounding"


def _nutation(run: "Run") -> NDArray[np.float64]:
    reason = why_no_spin(run)
    if reason:
        raise DoesNotApplyError(reason)
    return np.degrees(run.values("nutation"))


@metric("of a spin: angle from the momentum to the principal axis nearest to it at the start")
def initial_nutation_deg(run: "Run", _: MetricSettings) -> float:
    return float(_nutation(run)[0])


@metric("of a spin: angle from the momentum to the same axis, at the end")
def final_nutation_deg(run: "Run", _: MetricSettings) -> float:
    return float(_nutation(run)[-1])


@metric("of a spin: largest on the way")
def peak_nutation_deg(run: "Run", _: MetricSettings) -> float:
    return float(_nutation(run).max())
