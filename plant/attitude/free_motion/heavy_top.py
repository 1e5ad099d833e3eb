"""Heavy top from initial conditions: roots of its cubic and phase of its nutation."""

import numpy as np
from numpy.typing import NDArray

from ...checks import finite, positive
from ...errors import InputError
from ...hub.inertia import inertia_matrix
from ...in_range import in_range
from .jacobi import argument
from .top import HeavyTop

Array = NDArray[np.float64]

NEAREST_VERTICAL = 1e-14  # smallest 1 - |u|; closer to the vertical, the precession angle jumps


@in_range("the motion of the top")
def heavy_top(
    transverse: float,
    axial: float,
    *,
    weight_moment: float,
    axial_momentum: float,
    tilt: float,
    tilt_rate: float = 0.0,
    precession_rate: float = 0.0,
) -> HeavyTop:
    """Return the closed-form motion of a heavy symmetric top from its initial conditions.

    Parameters
    ----------
    transverse : float
        I1, transverse moment of inertia about the pivot, kg m^2.
    axial : float
        I3, moment of inertia about the symmetry axis, kg m^2.
    weight_moment : float
        W l: weight times the distance of the mass centre above the pivot, N m.
    axial_momentum : float
        h3, N m s.
    tilt : float
        theta at t = 0, from the vertical, rad, between 0 and pi.
    tilt_rate : float
        thetadot at t = 0, rad/s.
    precession_rate : float
        phidot at t = 0, rad/s.

    Returns
    -------
    HeavyTop
        The motion.

    Raises
    ------
    InputError
        When the inertia is not physical, W l is not positive, the tilt is out of range, or the symmetry axis passes
        through the vertical.

    Examples
    --------
    >>> top = heavy_top(5.0, 1.0, weight_moment=20.0, axial_momentum=50.0, tilt=0.3)
    >>> round(top.nutation_frequency, 9), round(top.mean_precession, 9)
    (9.209424558, 0.416425036)
    """
    i1, i3 = positive("transverse", transverse, "kg m^2"), positive("axial", axial, "kg m^2")
    inertia_matrix((i1, i1, i3))
    moment, h3 = positive("weight_moment", weight_moment, "N m"), finite("axial_momentum", axial_momentum, "N m s")
    theta, thetadot = finite("tilt", tilt, "rad"), finite("tilt_rate", tilt_rate, "rad/s")
    phidot = finite("precession_rate", precession_rate, "rad/s")
    if not 0.0 < theta < np.pi:
        raise InputError(
            f"tilt must be between 0 and pi (rad); got {theta:g}: a vertical top has no precession angle; simulate it "
            "with polhode.sim, whose state has Euler parameters"
        )
    roots = top_cubic(a=h3 / i1, b=2.0 * moment / i1, tilt=theta, tilt_rate=thetadot, precession_rate=phidot)
    low, high = float(roots[0]), float(roots[1])
    to_up, to_down = 2.0 * np.sin(0.5 * theta) ** 2 - high, 2.0 * np.cos(0.5 * theta) ** 2 + low
    if min(to_up, to_down) < NEAREST_VERTICAL:
        raise InputError(
            "the axis of this top passes through the vertical (or approaches it asymptotically), where the precession "
            "angle jumps; simulate it with polhode.sim, whose state has Euler parameters"
        )
    width = high - low
    sn, cn = (np.sqrt(max(-low, 0.0) / width), np.sqrt(max(high, 0.0) / width)) if width > 0.0 else (0.0, 1.0)
    return HeavyTop(
        transverse=i1,
        axial=i3,
        weight_moment=moment,
        axial_momentum=h3,
        tilt=theta,
        precession_rate=phidot,
        roots=roots,
        # thetadot > 0 is udot < 0, the decreasing half of sn^2
        start=argument(-sn if thetadot > 0.0 else sn, cn, m1=float((roots[2] - high) / (roots[2] - low))),
    )


def top_cubic(*, a: float, b: float, tilt: float, tilt_rate: float, precession_rate: float) -> Array:
    """Return the roots u1 <= u2 <= u3 of udot^2 = f(u), each minus cos(tilt).

    a: h3/I1, rad/s.
    b: 2 W l/I1, 1/s^2; positive.
    tilt: theta at t = 0, rad.
    tilt_rate, precession_rate: thetadot and phidot at t = 0, rad/s.
    -> (3,), with d = u - cos(tilt): f = s thetadot^2 + d (2 s a phidot - 2 u0 k - s b) + d^2 (2 u0 b - k - a^2) + b
        d^3, s = sin^2(tilt), k = thetadot^2 + s phidot^2. At zero tilt rate, d = 0 is a root and the other roots solve
        a quadratic equation. The double root of a steady precession therefore loses no digits.
    """
    u0, s = float(np.cos(tilt)), float(np.sin(tilt)) ** 2
    k = tilt_rate**2 + s * precession_rate**2
    linear = 2.0 * s * a * precession_rate - 2.0 * u0 * k - s * b
    square = 2.0 * u0 * b - k - a * a
    constant = s * tilt_rate**2
    if constant == 0.0:
        half = -0.5 * square
        root = np.sqrt(max(half * half - b * linear, 0.0))
        big = half + np.copysign(root, half)
        pair = (big / b, linear / big) if big != 0.0 else (0.0, 0.0)
        return np.sort(np.array([0.0, *pair]))
    roots = np.sort(np.roots([b, square, linear, constant]).real.astype(np.float64))
    for _ in range(3):  # Newton iterations polish the roots
        value = ((b * roots + square) * roots + linear) * roots + constant
        slope = (3.0 * b * roots + 2.0 * square) * roots + linear
        roots = roots - np.divide(value, slope, out=np.zeros(3), where=slope != 0.0)
    return np.sort(roots)
