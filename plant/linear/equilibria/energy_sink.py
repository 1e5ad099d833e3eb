"""Energy-sink estimate: dissipation of the elements while the spacecraft nutates as one rigid body.

The locked spacecraft nutates at lambda. The elements respond linearly to this excitation,

    q^ = (i lambda - A_qq)^-1 A_qpi pi^        P = 1/2 sdot^* D sdot^        E = 1/4 pi^* (J^-1 - mu) pi^

with q = (s, p), the mean dissipated power P and the energy E of the nutation at constant momentum: positive for a spin
about the major axis, negative about the minor axis. The amplitude grows as exp(sigma t), sigma = -P/2E. The estimate
holds if the elements hardly affect the nutation; the eigenvalue is exact.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...checks import finite, positive
from ...elements import RingDamper
from ...errors import InputError
from .second_variation import Variation


def energy_sink(found: Variation) -> float:
    """Return the energy-sink estimate of the nutation growth rate.

    found: second-order expansion of a steady spin -> sigma, 1/s: negative if nutation decays; NaN if the locked
    spacecraft does not nutate.
    """
    k, count = found.k, found.v.shape[1] - 2 - found.k
    turn, rest = slice(0, 2), slice(2, None)
    h, a = found.h, found.a
    p = slice(2 + k, 2 + k + count)
    follow = np.linalg.solve(h[p, p], -h[p, turn]) if count else np.zeros((0, 2))  # p at zero relative rates
    locked = a[turn, turn] + a[turn, p] @ follow
    stiffness = h[turn, turn] + h[turn, p] @ follow
    values, vectors = np.linalg.eig(locked)
    if abs(values[0].imag) <= 1e-10 * found.speed:
        return math.nan
    pi = vectors[:, 0]
    matrix: NDArray[Any] = values[0] * np.eye(len(a) - 2) - a[rest, rest]
    response: NDArray[Any] = np.linalg.solve(matrix, a[rest, turn] @ pi)
    sliding = found.v @ np.concatenate([pi, response])
    power = 0.5 * float((sliding.conj() @ found.d @ sliding).real)
    energy = 0.25 * float((pi.conj() @ stiffness @ pi).real)
    return 0.0 if power == 0.0 else -0.5 * power / energy


def _check(axial: float, transverse: float) -> tuple[float, float]:
    if positive("axial inertia", axial, "kg m^2") == positive("transverse inertia", transverse, "kg m^2"):
        raise InputError(f"axial and transverse inertia are equal ({axial:g} kg m^2): there is no nutation")
    return axial, transverse


def ring_energy_sink(ring: RingDamper, *, axial: float, transverse: float, rate: float) -> float:
    """Return the closed-form energy-sink estimate for a ring about the axis of a symmetric spacecraft.

    At small nutation the slug rotates with the spacecraft (spin-synchronous) and oscillates at
    lambda = (Ja/Jt - 1) Omega:

        sigma = -c/2 Jm4^2 (Ja/Jt)^2 Omega^2 / Jt^2 / ((c^2 + Jm3^2 lambda^2) (1/Jt - 1/Ja))

    with c = Cd R^2, Jm3 = m R^2, Jm4 = m R L sin(g/2)/(g/2), and the height L of the ring along its axis.

    Parameters
    ----------
    ring : RingDamper
        Ring with its centre on the axis.
    axial, transverse : float
        Ja and Jt of the spacecraft including the slug, kg m^2.
    rate : float
        Spin rate Omega, rad/s.

    Returns
    -------
    float
        sigma, 1/s: negative if nutation decays.

    Raises
    ------
    InputError
        When an argument is not positive, or Ja and Jt are equal.

    Examples
    --------
    >>> ring = RingDamper(axis=(0, 0, 1), mass=0.05, radius=0.5, center=(0, 0, 0.3), fill=2.0943951, friction=0.2)
    >>> print(f"{ring_energy_sink(ring, axial=1.6125, transverse=1.01075, rate=10.0):.4f}")
    -0.0807
    """
    ja, jt = _check(axial, transverse)
    omega = positive("rate", rate, "rad/s")
    c, own = ring.friction * ring.radius**2, ring.mass * ring.radius**2
    half = 0.5 * ring.fill
    mean = 0.0 if ring.cyclic else math.sin(half) / half
    product = ring.mass * ring.radius * mean * float(np.asarray(ring.center) @ np.asarray(ring.axis))
    nutation_rate = (ja / jt - 1.0) * omega
    drive = (product * (ja / jt) * omega / jt) ** 2
    return -0.5 * c * drive / ((c * c + (own * nutation_rate) ** 2) * (1.0 / jt - 1.0 / ja))


def nutation_synchronous_angle(
    ring: RingDamper, t: float | NDArray[np.float64], *, axial: float, transverse: float, angle: float
) -> NDArray[np.float64]:
    """Return the nutation angle over time in the nutation-synchronous phase, at large angles.

    In this phase the slug follows the transverse momentum and the ring slides past the slug. The result is
    cos theta = cos theta0 exp(kappa t), kappa = c (1/Jt - 1/Ja), c = Cd R^2. The phase ends when friction drags the
    slug along with the spacecraft, or at theta = 0.

    Parameters
    ----------
    ring : RingDamper
        Ring about the spin axis.
    t : float or numpy.ndarray
        Times, s.
    axial, transverse : float
        Ja and Jt of the spacecraft, kg m^2.
    angle : float
        theta at t = 0, rad, below pi/2.

    Returns
    -------
    numpy.ndarray
        theta, rad, same shape as t; 0 once cos theta has reached 1.

    Raises
    ------
    InputError
        When an inertia is not positive, Ja and Jt are equal, or the angle is not in [0, pi/2].

    Examples
    --------
    >>> ring = RingDamper(axis=(0, 0, 1), mass=0.05, radius=0.5, center=(0, 0, 0.3), fill=2.0943951, friction=0.2)
    >>> print(f"{nutation_synchronous_angle(ring, 10.0, axial=1.6, transverse=1.0, angle=1.2):.6f}")
    1.118439
    """
    ja, jt = _check(axial, transverse)
    if not 0.0 <= finite("nutation angle", angle, "rad") <= 0.5 * math.pi:
        raise InputError(f"the nutation angle must be in [0, pi/2] rad; got {angle:g} rad")
    kappa = ring.friction * ring.radius**2 * (1.0 / jt - 1.0 / ja)
    cosine = math.cos(angle) * np.exp(np.minimum(kappa * np.asarray(t, dtype=np.float64), 700.0))
    return np.arccos(np.minimum(cosine, 1.0))
