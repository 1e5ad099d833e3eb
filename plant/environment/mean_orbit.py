"""Orbit from mean elements: unperturbed, or with the secular effect of the Earth's oblateness."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import finite, positive
from ..errors import InputError
from .constants import EARTH_RADIUS, J2, MU
from .epoch import Epoch
from .orbit import Orbit

Array = NDArray[np.float64]

TROPICAL_RATE = 2.0 * np.pi / (365.2421897 * 86400.0)  # rad/s, mean Sun relative to the equinox


@dataclass(frozen=True, kw_only=True)
class MeanOrbit(Orbit):
    """Ellipse whose node, perigee and mean anomaly advance at the constant rates that J2 causes.

    With k = J2 (Re/p)^2 and the mean motion n = sqrt(mu/a^3) (Vallado 2013, section 9.6.2),

        raan' = -3/2 n k cos i,    argp' = 3/4 n k (5 cos^2 i - 1),    M' = n + 3/4 n k sqrt(1 - e^2) (3 cos^2 i - 1).

    The elements are mean elements: short-periodic variations, up to 10 km in position at low altitude, are omitted. The
    velocity is the derivative of the position. The axes are the GCRF axes; the equator of date differs from the GCRF
    equator by up to 0.2 degrees.

    Parameters
    ----------
    epoch : Epoch
        Date of t = 0, for which the elements are given.
    semi_major_axis : float
        Semi-major axis, m.
    eccentricity : float
        Eccentricity, from 0 to below 1.
    inclination, raan, argument_of_perigee, mean_anomaly : float
        Angles of the orbit, rad.
    oblate : bool
        Whether the J2 rates apply; otherwise the orbit is a Kepler ellipse.

    Raises
    ------
    InputError
        When an element is out of range, or the perigee is inside the Earth.

    Examples
    --------
    >>> orbit = MeanOrbit(epoch=Epoch("2026-03-20T12:00:00Z"), semi_major_axis=6878137.0, inclination=1.7)
    >>> round(orbit.period, 3)
    5684.389
    """

    name: ClassVar[str] = "the orbit"

    epoch: Epoch
    semi_major_axis: float
    eccentricity: float = 0.0
    inclination: float = 0.0
    raan: float = 0.0
    argument_of_perigee: float = 0.0
    mean_anomaly: float = 0.0
    oblate: bool = True

    def __post_init__(self) -> None:
        positive("semi-major axis", self.semi_major_axis, "m")
        e = finite("eccentricity", self.eccentricity)
        if not 0.0 <= e < 1.0:
            raise InputError(f"eccentricity must be 0 to below 1; got {e:g}")
        for name in ("inclination", "raan", "argument_of_perigee", "mean_anomaly"):
            finite(name.replace("_", " "), getattr(self, name), "rad")
        if not 0.0 <= self.inclination <= np.pi:
            raise InputError(f"inclination must be 0 to 180 degrees; got {np.degrees(self.inclination):g}")
        perigee = self.semi_major_axis * (1.0 - e)
        if perigee <= EARTH_RADIUS:
            raise InputError(
                f"the perigee is {perigee / 1e3:.6g} km from the centre of the Earth, whose radius is "
                f"{EARTH_RADIUS / 1e3:.6g} km: raise the semi-major axis or lower the eccentricity"
            )

    @property
    def rates(self) -> tuple[float, float, float]:
        """Rates of node, argument of perigee and mean anomaly, rad/s."""
        n = np.sqrt(MU / self.semi_major_axis**3)
        if not self.oblate:
            return 0.0, 0.0, float(n)
        shape = 1.0 - self.eccentricity**2
        k = 0.75 * n * J2 * (EARTH_RADIUS / (self.semi_major_axis * shape)) ** 2
        c = np.cos(self.inclination)
        return (
            float(-2.0 * k * c),
            float(k * (5.0 * c * c - 1.0)),
            float(n + k * np.sqrt(shape) * (3.0 * c * c - 1.0)),
        )

    @property
    def period(self) -> float:
        """Nodal period, from one ascending node to the next, s."""
        _, perigee_rate, motion = self.rates
        return 2.0 * float(np.pi) / (perigee_rate + motion)

    def state(self, t: ArrayLike) -> tuple[Array, Array]:
        """Return position and velocity at given times.

        Parameters
        ----------
        t : array_like, shape (...)
            Times, s.

        Returns
        -------
        tuple of numpy.ndarray
            Position (m) and velocity (m/s) in GCRF, shape (..., 3).
        """
        t = np.asarray(t, dtype=np.float64)
        node_rate, perigee_rate, motion = self.rates
        a, e = self.semi_major_axis, self.eccentricity
        mean = self.mean_anomaly + motion * t
        anomaly = _eccentric_anomaly(mean, e)
        c, s, root = np.cos(anomaly), np.sin(anomaly), np.sqrt(1.0 - e * e)
        x, y = a * (c - e), a * root * s
        pace = motion / (1.0 - e * c)
        zero = np.zeros_like(x)
        node, perigee = self.raan + node_rate * t, self.argument_of_perigee + perigee_rate * t
        tilt = np.full_like(node, self.inclination)
        plane = np.stack([x, y, zero], -1)
        moving = np.stack([-a * s * pace - perigee_rate * y, a * root * c * pace + perigee_rate * x, zero], -1)
        position, velocity = (_turned(each, node, tilt, perigee) for each in (plane, moving))
        velocity = velocity + node_rate * np.stack([-position[..., 1], position[..., 0], zero], -1)
        return position, velocity


def sun_synchronous_inclination(semi_major_axis: float, *, eccentricity: float = 0.0) -> float:
    """Return the inclination at which the node follows the mean Sun.

    Parameters
    ----------
    semi_major_axis : float
        Mean semi-major axis, m.
    eccentricity : float
        Mean eccentricity.

    Returns
    -------
    float
        Inclination, rad.

    Raises
    ------
    InputError
        When the orbit is so high that no inclination rotates its node once per year.

    Examples
    --------
    >>> float(np.degrees(sun_synchronous_inclination(6878137.0)).round(5))
    97.40181
    """
    a, e = positive("semi-major axis", semi_major_axis, "m"), finite("eccentricity", eccentricity)
    k = 1.5 * np.sqrt(MU / a**3) * J2 * (EARTH_RADIUS / (a * (1.0 - e * e))) ** 2
    cosine = -TROPICAL_RATE / k
    if cosine < -1.0:
        raise InputError(
            f"no orbit with a semi-major axis of {a / 1e3:.6g} km is sun-synchronous: its node is too slow; "
            "lower the orbit"
        )
    return float(np.arccos(cosine))


def _eccentric_anomaly(mean: Array, e: float) -> Array:
    """Solve Kepler's equation by Newton's method, starting on the side where the function is convex."""
    within = np.remainder(mean + np.pi, 2.0 * np.pi) - np.pi
    anomaly = within + 0.85 * e * np.sign(within)
    for _ in range(50):
        step = (anomaly - e * np.sin(anomaly) - within) / (1.0 - e * np.cos(anomaly))
        anomaly = anomaly - step
        if np.abs(step).max(initial=0.0) < 1e-14:
            break
    return anomaly


def _turned(vectors: Array, node: Array, tilt: Array, perigee: Array) -> Array:
    """Transform vectors (..., 3) from the perifocal frame to the reference axes of the elements."""
    x, y, _ = np.moveaxis(vectors, -1, 0)
    c, s = np.cos(perigee), np.sin(perigee)
    along, across = c * x - s * y, s * x + c * y
    u, v, w = along, np.cos(tilt) * across, np.sin(tilt) * across
    c, s = np.cos(node), np.sin(node)
    return np.stack([c * u - s * v, s * u + c * v, w], -1)
