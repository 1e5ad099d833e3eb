"""Heavy symmetric top in closed form: nutation, precession and attitude at any time.

With u = cos theta, a = h3/I1, b = 2 W l/I1 and the two constant momenta h3 (about the symmetry axis) and p_phi (about
the vertical),

    udot^2 = f(u) = b (u - u1)(u - u2)(u - u3),   u = u1 + (u2 - u1) sn^2(n t + U0 | m),
    n = sqrt(b (u3 - u1)) / 2,   m = (u2 - u1)/(u3 - u1),   period of nutation 2 K(m) / n,
    phidot = (p_phi/I1 - a u) / (1 - u^2),   psidot = h3/I3 - phidot u;

and both angles are elliptic integrals of the third kind.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...frozen import frozen_arrays
from .. import from_euler_angles
from ._times import times
from .jacobi import half_period, jacobi, third_kind

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class HeavyTop:
    """Motion of a heavy symmetric top; `heavy_top` constructs it.

    Attributes
    ----------
    transverse, axial : float
        I1 about the pivot and I3, kg m^2.
    weight_moment : float
        W l, N m.
    axial_momentum : float
        h3, N m s.
    tilt : float
        theta at t = 0, rad.
    precession_rate : float
        phidot at t = 0, rad/s.
    roots : numpy.ndarray, shape (3,)
        u1 <= u2 <= u3 with cos(tilt) subtracted from each.
    start : float
        U0, the argument of sn at t = 0.

    Notes
    -----
    Shivarama & Fahrenthold (2004), Table 5, gives 9.24 and 0.4136 rad/s for the top of their Table 4, read from a plot;
    the exact values are 9.2094 and 0.4164. Their "analytical approximation" is the fast-top formula, h3/I1 and W l/h3.
    """

    transverse: float
    axial: float
    weight_moment: float
    axial_momentum: float
    tilt: float
    precession_rate: float
    roots: Array
    start: float

    @property
    def cosines(self) -> Array:
        """Roots u1, u2, u3 of f, shape (3,); the motion is between u1 and u2."""
        return np.cos(self.tilt) + self.roots

    @property
    def complement(self) -> float:
        """Complementary parameter 1 - m of the elliptic functions."""
        low, high, third = self.roots
        return float((third - high) / (third - low))

    @property
    def tilt_limits(self) -> tuple[float, float]:
        """Smallest and largest tilt theta, rad."""
        low, high = self._to_up[:2], self._to_down[:2]
        angles = 2.0 * np.arctan2(np.sqrt(low), np.sqrt(high))
        return float(angles[1]), float(angles[0])

    @property
    def period(self) -> float:
        """Period of nutation, s: 4 K(m) / sqrt(b (u3 - u1))."""
        return half_period(self.complement) / self._n

    @property
    def nutation_frequency(self) -> float:
        """Nutation frequency 2 pi / period, rad/s; about h3/I1 for a fast top."""
        return 2.0 * float(np.pi) / self.period

    @property
    def mean_precession(self) -> float:
        """Mean precession rate over a period, rad/s; about W l/h3 for a fast top."""
        return float(self._precession(np.array(self.period)).sum()) / self.period

    @property
    def precession_limits(self) -> tuple[float, float]:
        """Smallest and largest precession rate phidot, rad/s."""
        low, high, _ = self.roots
        lean = np.cos(self.tilt)
        a = self.axial_momentum / self.transverse
        p = self.precession_rate * np.sin(self.tilt) ** 2 + a * lean
        at = [low, high]
        if a != 0.0 and abs(p) > abs(a):  # phidot also has an extreme where a u^2 - 2 p u + a = 0
            inner = a / (p + np.copysign(np.sqrt(p * p - a * a), p)) - lean
            at += [inner] if low < inner < high else []
        rates = [self._precession_rate(float(delta)) for delta in at]
        return min(rates), max(rates)

    def angles(self, t: ArrayLike) -> Array:
        """Return the Euler angles at given times.

        Parameters
        ----------
        t : array_like, shape (...)
            Times, s.

        Returns
        -------
        numpy.ndarray, shape (..., 3)
            (phi, theta, psi), rad, sequence 3-1-3 relative to the vertical; phi = psi = 0 at t = 0.
        """
        t = times(t)
        values = jacobi(self._n * t + self.start, self.complement)
        up = self._to_up[0] * values.cn**2 + self._to_up[1] * values.sn**2  # 1 - u; next line 1 + u
        down = self._to_down[0] * values.cn**2 + self._to_down[1] * values.sn**2
        over, under = self._precession(t)
        spin = self.axial_momentum * (1.0 / self.axial - 1.0 / self.transverse)
        theta = 2.0 * np.arctan2(np.sqrt(up), np.sqrt(down))
        return np.stack((over + under, theta, spin * t - over + under), axis=-1)

    def attitude(self, t: ArrayLike) -> Array:
        """Return the Euler parameters at given times, continuous in time.

        Parameters
        ----------
        t : array_like, shape (...)
            Times, s.

        Returns
        -------
        numpy.ndarray, shape (..., 4)
            Euler parameters, scalar first, body to inertial; the third body axis is the symmetry axis.
        """
        return from_euler_angles(self.angles(t), "3-1-3")

    @property
    def _n(self) -> float:
        return float(np.sqrt(0.5 * self.weight_moment / self.transverse * (self.roots[2] - self.roots[0])))

    @property
    def _to_up(self) -> Array:
        """Values of 1 - u at the three roots, without cancellation at small tilts."""
        return 2.0 * np.sin(0.5 * self.tilt) ** 2 - self.roots

    @property
    def _to_down(self) -> Array:
        return 2.0 * np.cos(0.5 * self.tilt) ** 2 + self.roots

    def _precession_rate(self, delta: float) -> float:
        a = self.axial_momentum / self.transverse
        square = float(np.sin(self.tilt)) ** 2
        u = float(np.cos(self.tilt))
        return (self.precession_rate * square - a * delta) / (square - 2.0 * u * delta - delta * delta)

    def _precession(self, t: Array) -> Array:
        """Return the two parts of phi: the integrals of (p - a)/2(1 - u) and (p + a)/2(1 + u).

        p = p_phi/I1, a = h3/I1.
        """
        a = self.axial_momentum / self.transverse
        swing = self.precession_rate * np.sin(self.tilt) ** 2
        weights = (
            swing - 2.0 * a * np.sin(0.5 * self.tilt) ** 2,
            swing + 2.0 * a * np.cos(0.5 * self.tilt) ** 2,
        )
        parts: list[Array] = []
        for weight, (first, second, _) in zip(weights, (self._to_up, self._to_down), strict=True):
            ratio = float(second / first)
            more = third_kind(self._n * t, self.complement, ratio=ratio, start=self.start) / self._n
            parts.append(0.5 * weight / first * (t + (1.0 - ratio) * more))
        return np.stack(parts)
