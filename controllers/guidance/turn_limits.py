"""Fastest rest-to-rest slews about a fixed body axis within limits.

A slew about the body axis a requires the torque J a theta'' + a x J a theta'^2 in body components. With b = J a and
c = a x J a, component i is b_i theta'' + c_i theta'^2. The second term is zero for a principal axis; for any other axis
it grows with the rate.
"""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.frozen import frozen_arrays
from ...plant.hub.inertia import inertia_matrix

Array = NDArray[np.float64]

QUINTIC_RATE = 15.0 / 8.0
"""Peak rate of the quintic theta = 10 x^3 - 15 x^4 + 6 x^5, at x = 1/2."""
QUINTIC_ACCELERATION = 10.0 / sqrt(3.0)
"""Peak acceleration of the same quintic, at x = 1/2 -+ 1/sqrt(12)."""


def turning_torque(inertia: ArrayLike, axis: Array) -> tuple[Array, Array]:
    """Return b = J a and c = a x J a of the torque b theta'' + c theta'^2.

    inertia (3,) or (3, 3): J, kg m^2; axis (3,): unit vector a in body components -> b, c (3,): kg m^2; components of c
    that are only rounding errors are set to zero.
    """
    b = inertia_matrix(inertia) @ axis
    c = np.cross(axis, b)
    c[np.abs(c) < 1e-14 * np.abs(b).max()] = 0.0
    return b, c


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class TurnLimits:
    """Limits of a slew about one axis; a missing limit is infinite.

    rate: largest rate, rad/s.
    acceleration: largest angular acceleration, rad/s^2.
    b, c (3,): torque per theta'' and per theta'^2, kg m^2.
    torque (3,): largest magnitude of each torque component, N m.
    """

    rate: float
    acceleration: float
    b: Array
    c: Array
    torque: Array

    def slowness(self, rate: float) -> tuple[float, float]:
        """Return the reciprocal of the largest acceleration allowed up to a rate, and its derivative.

        While the rate increases from 0 to `rate` at constant acceleration, torque component i is largest at the end:
        |b_i| acceleration + |c_i| rate^2 <= L_i.

        rate: peak rate, rad/s -> slowness (s^2/rad) and its derivative; infinite if the rate term by itself reaches the
        torque limit.
        """
        best = (1.0 / self.acceleration, 0.0)
        for b, c, limit in zip(np.abs(self.b), np.abs(self.c), self.torque, strict=True):
            left = limit - c * rate * rate
            if left <= 0.0:
                return inf, inf
            best = max(best, (float(b / left), float(2.0 * b * c * rate / left**2)))
        return best


def ramped_turn(limits: TurnLimits, angle: float) -> tuple[float, float, float]:
    """Return duration, peak rate and ramp time of the fastest bang-coast-bang slew.

    With the peak rate w and the largest acceleration A(w) at that rate, the duration is T(w) = angle/w + w/A(w). T is
    convex, so the minimum is where the slope changes sign, or at the rate limit. At the minimum w^2 <= A(w) angle, so
    the two ramps do not exceed the angle. Equality means that there is no coast phase, as for a slew about a principal
    axis that stays below the rate limit.

    angle: slew angle, rad, greater than zero -> duration (s), peak rate (rad/s), ramp time (s); the acceleration is
    peak/ramp.
    """

    def slope(w: float) -> float:
        slowness, growth = limits.slowness(w)
        return inf if slowness == inf else slowness + w * growth - angle / (w * w)

    peak = limits.rate
    if peak == inf or slope(peak) > 0.0:
        low, high = 0.0, sqrt(angle / limits.slowness(0.0)[0])  # upper bound, neglecting the rate term of the torque
        high = min(high, peak)
        if slope(high) > 0.0:
            for _ in range(200):  # bisection down to rounding
                peak = 0.5 * (low + high)
                if peak in {low, high}:
                    break
                low, high = (low, peak) if slope(peak) > 0.0 else (peak, high)
            peak = low
        else:
            peak = high
    ramp = peak * limits.slowness(peak)[0]
    ramp = min(ramp, angle / peak)  # without a coast phase, the two are equal except for rounding
    return angle / peak + ramp, peak, ramp


def smooth_turn(limits: TurnLimits, angle: float) -> float:
    """Return the duration T of the fastest quintic slew, s.

    theta = angle s(x), with s = 10 x^3 - 15 x^4 + 6 x^5 and x = t/T. Rate and acceleration peak at 15/8 angle/T and
    10/sqrt(3) angle/T^2. Torque component i is (b_i angle s'' + c_i angle^2 s'^2)/T^2. The numerator is a polynomial of
    degree 8 in x, and its largest magnitude gives T.

    angle: slew angle, rad, greater than zero.
    """
    square = QUINTIC_ACCELERATION * angle / limits.acceleration
    peaks = smooth_torque(limits.b, limits.c, angle)
    square = max(square, float((peaks / limits.torque).max()))
    return max(QUINTIC_RATE * angle / limits.rate, sqrt(square))


def smooth_torque(b: Array, c: Array, angle: float) -> Array:
    """Return the largest magnitudes of b s'' angle + c s'^2 angle^2 for the quintic s.

    b, c (3,): torque per theta'' and per theta'^2, kg m^2; angle: slew angle, rad -> (3,), torque times the square of
    the duration, N m s^2.
    """
    s = np.polynomial.Polynomial((0.0, 0.0, 0.0, 10.0, -15.0, 6.0))
    largest = np.zeros(3)
    for n in range(3):
        torque = float(b[n]) * angle * s.deriv(2) + float(c[n]) * angle**2 * s.deriv() ** 2
        roots = torque.deriv().roots()
        places = np.clip(roots.real, 0.0, 1.0)  # a point that is not a root only adds a smaller candidate
        largest[n] = np.abs(torque(places)).max(initial=0.0)
    return largest
