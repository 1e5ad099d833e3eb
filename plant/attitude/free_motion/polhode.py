"""Polhodes: the curves that the momentum and angular velocity of a free body trace in the body frame.

The momentum stays on the sphere |h| = H and on the energy ellipsoid sum h_i^2 / J_i = 2 T. Their intersection consists
of two closed curves about the major axis or the minor axis; at 2 T = H^2 / J_middle it is the separatrix, two great
circles through the middle axis.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...brief import brief
from ...checks import finite, positive, vector
from ...errors import InputError
from ...frozen import frozen_arrays
from ...in_range import in_range
from .energy_limits import energy_limits
from .principal import PrincipalAxes, principal_axes
from .regime import regime_of

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Polhode:
    """Polhode for a momentum and an energy, with both branches.

    Attributes
    ----------
    regime : str
        "major" or "minor" (the circled axis), "separatrix" or "steady" (two points).
    energy : float
        Energy, J.
    momentum_curves : numpy.ndarray, shape (2, n, 3)
        Two closed curves of the momentum, body components, N m s; the first passes through the given momentum.
    rate_curves : numpy.ndarray, shape (2, n, 3)
        The corresponding curves of the body rate, rad/s.
    """

    regime: str
    energy: float
    momentum_curves: Array
    rate_curves: Array

    __repr__ = brief


@in_range("the polhode")
def polhode(inertia: ArrayLike, *, momentum: ArrayLike, energy: float | None = None, samples: int = 361) -> Polhode:
    """Return the polhode through a momentum, or for a momentum magnitude and an energy.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Inertia, kg m^2.
    momentum : float or array_like, shape (3,)
        Momentum in body components, N m s; or its magnitude, with the energy.
    energy : float, optional
        Kinetic energy, J; only with a momentum magnitude.
    samples : int
        Points per curve, the last equal to the first.

    Returns
    -------
    Polhode
        Both branches; two points if steady.

    Raises
    ------
    InputError
        When the inertia is not physical, the momentum is zero, or the energy is outside its limits, missing for a
        momentum magnitude, or given with a momentum vector.

    Examples
    --------
    >>> polhode((200, 300, 400), momentum=10.0, energy=0.13).regime
    'major'
    """
    principal = principal_axes(inertia)
    value = np.asarray(momentum)
    if (value.shape == ()) == (energy is None):
        raise InputError("give the momentum as 3 numbers (N m s), or its magnitude with the energy (J)")
    if energy is None:
        h = vector("momentum", momentum, unit="N m s")
        if not h.any():
            raise InputError("the momentum is zero (N m s): a body at rest has no polhode")
        return curves_through(principal, h, samples)
    size = positive("momentum", float(value), "N m s")
    level = finite("energy", energy, "J")
    limits = energy_limits(inertia, size)
    slack = 1e-12 * limits.highest  # accepts values rounded for printing
    if not limits.lowest - slack <= level <= limits.highest + slack:
        raise InputError(
            f"energy must be from {limits.lowest:.9g} to {limits.highest:.9g} J at a momentum of {size:g} N m s; "
            f"got {level:.9g}"
        )
    span = limits.highest - limits.lowest
    share = min(max((level - limits.lowest) / span, 0.0), 1.0) if span > 0.0 else 0.0
    start = np.array([np.sqrt(share), 0.0, np.sqrt(1.0 - share)])  # in the plane normal to the middle axis
    return curves_through(principal, size * (principal.axes @ start), samples)


def curves_through(principal: PrincipalAxes, momentum: Array, samples: int) -> Polhode:
    """Return the polhode through a momentum, with `samples` points per curve."""
    path = regime_of(principal, momentum)
    energy = 0.5 * float(momentum @ principal.rate(momentum))
    if path.name == "steady":
        curves = np.broadcast_to(np.stack((momentum, -momentum))[:, np.newaxis], (2, samples, 3)).copy()
    else:
        angle = np.linspace(0.0, 2.0 * np.pi, samples)
        sine, cosine = np.sin(angle), np.cos(angle)
        # dn^2 = cn^2 + (1 - m) sn^2; the separatrix is drawn as a full great circle
        dn = cosine if path.complement == 0.0 else np.sqrt(cosine**2 + path.complement * sine**2)
        branches = [np.column_stack((sine, cosine, side * dn)) * path.amplitudes for side in (1.0, -1.0)]
        curves = np.stack(branches) @ path.triad.T
    return Polhode(regime=path.name, energy=energy, momentum_curves=curves, rate_curves=principal.rate(curves))
