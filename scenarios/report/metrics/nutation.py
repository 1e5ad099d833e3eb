"""Nutation of a spin: the angle from the momentum to the principal axis nearest at the start.

A run is a spin under three conditions: the spacecraft has elements (the nutation of a rigid body is constant), its
initial angular momentum exceeds a tenth of the largest in the run, and no law controls it to an attitude at rest. If a
law stops the rotation or a torque starts it, the initial axis has no meaning later.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ....controllers import Reference
from ....controllers.guidance import steady_pose
from ....plant.attitude import rotation_matrix
from ....plant.parts import has_parts
from .kind import DoesNotApplyError, MetricSettings, MissingPartError, NoValueError, largest, metric, size

if TYPE_CHECKING:
    from ....sim import Run

SHARE = 0.1


def why_no_spin(run: "Run") -> str:
    """Return the reason why a run is not a spin, so that nutation does not apply; empty for a spin."""
    if reason := _missing(run):
        return reason
    start, most = float(np.linalg.norm(run.start[:3])), largest(run, "momentum", size)
    if start <= SHARE * most or start == 0.0:
        return "the spacecraft does not spin at the start"
    carried = largest(run, "internal_momentum", np.abs) if "internal_momentum" in run.names else 0.0
    return "" if most > 1e-12 * carried else "the spacecraft has no angular momentum beyond rounding"


def _missing(run: "Run") -> str:
    """Return the reason why no run with these parts is a spin; empty if there is none."""
    if "nutation" not in run.names:
        return "the spacecraft has no [[plant.elements]]"
    if run.law is not None and run.reference is not None and not np.any(steady_pose(run.reference)[1]):
        return "a law holds the spacecraft at rest in an attitude, so it does not spin"
    return ""


def _nutation(run: "Run") -> NDArray[np.float64]:
    if reason := _missing(run):
        raise MissingPartError(reason)
    reason = why_no_spin(run)
    if reason:
        raise DoesNotApplyError(reason)
    return np.degrees(run.values("nutation"))


@metric("for a spin: initial angle from the momentum to the nearest principal axis")
def initial_nutation_deg(run: "Run", _: MetricSettings) -> float:
    return float(_nutation(run)[0])


@metric("for a spin: final angle from the momentum to the initially nearest principal axis")
def final_nutation_deg(run: "Run", _: MetricSettings) -> float:
    return float(_nutation(run)[-1])


@metric("for a spin: largest angle from the momentum to the initially nearest principal axis")
def peak_nutation_deg(run: "Run", _: MetricSettings) -> float:
    return float(_nutation(run).max())


@metric("for a spin with a reference: final angle from the momentum to the spin axis of the reference")
def final_spin_axis_error_deg(run: "Run", _: MetricSettings) -> float:
    if run.law is None or run.reference is None or not has_parts(run.reference, Reference):
        raise MissingPartError("no law follows a spinning reference")
    motion = np.asarray(run.reference.at(float(run.t[-1])))
    if not motion[4:7].any():
        raise DoesNotApplyError("no law follows a spinning reference")
    target = rotation_matrix(motion[:4]) @ motion[4:7]
    momentum = run.values("inertial_momentum")[-1]
    if not momentum.any():
        raise NoValueError("the spacecraft has no angular momentum at the end")
    sine, cosine = np.linalg.norm(np.cross(target, momentum)), float(target @ momentum)
    return float(np.degrees(np.arctan2(sine, cosine)))
