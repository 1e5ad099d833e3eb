"""Herpolhode: the curve that the angular velocity of a free body traces on the invariable plane.

The component of omega along the constant momentum is 2 T / H, so the tip of omega stays in one plane (Poinsot). There
the tip moves between two circles about the direction of the momentum, and in general the curve never closes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...brief import brief
from ...errors import InputError
from ...frozen import frozen_arrays
from ...in_range import in_range
from .. import rotation_matrix
from ._times import times
from .elliptic import FreeMotion

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Herpolhode:
    """Herpolhode of a free motion.

    Attributes
    ----------
    t : numpy.ndarray, shape (n,)
        Times, s.
    rate : numpy.ndarray, shape (n, 3)
        omega in inertial components, rad/s.
    plane : numpy.ndarray, shape (n, 2)
        omega on the invariable plane relative to the momentum axis, rad/s. The first axis points to the tip of omega at
        t = 0; the rotation from the first to the second axis is right-handed about the momentum.
    distance : float
        Distance of the plane from the origin, 2 T / H, rad/s.
    inner, outer : float
        Radii of the two circles, rad/s.
    advance : float
        Angle about the momentum between successive contacts with the same circle, rad; NaN if there are no contacts.
    """

    t: Array
    rate: Array
    plane: Array
    distance: float
    inner: float
    outer: float
    advance: float

    __repr__ = brief


@in_range("the herpolhode")
def herpolhode(motion: FreeMotion, t: ArrayLike) -> Herpolhode:
    """Return the herpolhode of a free motion.

    Parameters
    ----------
    motion : FreeMotion
        The motion.
    t : array_like, shape (n,)
        Times, s.

    Returns
    -------
    Herpolhode
        Curve, plane and circles.

    Raises
    ------
    InputError
        When the body is at rest.

    Examples
    --------
    >>> motion = FreeMotion((400, 307.808385, 200), momentum=(346.4101616, 0, -200))
    >>> curve = herpolhode(motion, np.linspace(0.0, 60.0, 7))
    >>> round(curve.distance, 9), round(curve.inner, 6), round(curve.outer, 6)
    (1.25, 0.111254, 0.433013)
    """
    h = motion.initial_momentum
    size = float(np.hypot(np.hypot(h[0], h[1]), h[2]))
    if size == 0.0:
        raise InputError("the body is at rest: without momentum (N m s) there is no invariable plane")
    moments = np.atleast_1d(times(t))
    rate = np.einsum("nij,nj->ni", rotation_matrix(motion.attitude(moments)), motion.rate(moments))
    up = rotation_matrix(motion.initial_attitude) @ h / size
    first = rotation_matrix(motion.initial_attitude) @ motion.rate(0.0)
    first = first - (first @ up) * up
    if float(first @ first) <= 1e-24 * float(rate[0] @ rate[0]):  # a spin about H: the direction is arbitrary
        first = np.cross(up, np.eye(3)[int(np.abs(up).argmin())])
    first = first / np.sqrt(first @ first)
    plane = np.column_stack((rate @ first, rate @ np.cross(up, first)))
    inner, outer = _radii(motion, size)
    finite = motion.regime != "steady" and np.isfinite(motion.period)
    return Herpolhode(
        t=moments,
        rate=rate,
        plane=plane,
        distance=2.0 * motion.energy / size,
        inner=inner,
        outer=outer,
        advance=motion.mean_precession * motion.period if finite else float("nan"),
    )


def _radii(motion: FreeMotion, size: float) -> tuple[float, float]:
    """Return |omega x h| / H at sn^2 = 0 and 1: the extremes, since all squares are linear in sn^2."""
    path, moments = motion.path, motion.principal.moments[list(motion.path.order)]
    if path.name == "steady":
        ends = [path.amplitudes]
    else:
        low = np.sqrt(path.complement)
        ends = [path.amplitudes * (0.0, 1.0, 1.0), path.amplitudes * (1.0, 0.0, low)]
    radii = [float(np.linalg.norm(np.cross(end / moments, end))) / size for end in ends]
    return min(radii), max(radii)
