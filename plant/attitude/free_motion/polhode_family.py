"""Separatrix, and a family of polhodes with the same momentum and several energies."""

import numpy as np
from numpy.typing import ArrayLike

from ...checks import positive
from ...errors import InputError
from ...in_range import in_range
from .polhode import Polhode, curves_through
from .principal import principal_axes


@in_range("the separatrix")
def separatrix(inertia: ArrayLike, *, momentum: float, samples: int = 361) -> Polhode:
    """Return the separatrix: two great circles of the momentum sphere that intersect on the middle axis.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Inertia, kg m^2.
    momentum : float
        H, N m s.
    samples : int
        Points per circle, the last equal to the first.

    Returns
    -------
    Polhode
        The polhode, with regime "separatrix".

    Raises
    ------
    InputError
        When the inertia is not physical, two moments are equal, or H is not positive.
    """
    principal = principal_axes(inertia)
    d12, d23, d13 = principal.gaps
    if d12 == 0.0 or d23 == 0.0:
        moments = ", ".join(f"{moment:g}" for moment in principal.moments)
        raise InputError(
            f"a body with two equal principal moments ({moments} kg m^2) has no separatrix: "
            "none of its spins is unstable"
        )
    size = positive("momentum", momentum, "N m s")
    start = np.array([np.sqrt(d23 / d13), 0.0, np.sqrt(d12 / d13)])
    return curves_through(principal, size * (principal.axes @ start), samples)


@in_range("the family of polhodes")
def polhode_family(inertia: ArrayLike, *, momentum: float, count: int = 5, samples: int = 361) -> tuple[Polhode, ...]:
    """Return polhodes with several energies, evenly spread over the momentum sphere, for plots.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Inertia, kg m^2.
    momentum : float
        H, N m s.
    count : int
        Number of polhodes about each circled axis.
    samples : int
        Points per curve.

    Returns
    -------
    tuple of Polhode
        In descending order of energy: first those about the minor axis, then those about the major axis. The steady
        spins (single points) and the separatrix are not included.

    Raises
    ------
    InputError
        When the inertia is not physical, all moments are equal, or H or count is not positive.
    """
    principal = principal_axes(inertia)
    d12, d23, d13 = principal.gaps
    if d13 == 0.0:
        raise InputError("a body with three equal principal moments has no polhodes: every spin is steady")
    size, number = positive("momentum", momentum, "N m s"), int(positive("count", count))
    border = np.arctan2(np.sqrt(d12), np.sqrt(d23))  # angle of the separatrix from the minor axis
    shares = (np.arange(number) + 1.0) / (number + 1.0)
    about_minor = border * shares if d12 > 0.0 else np.empty(0)
    about_major = border + (0.5 * np.pi - border) * shares if d23 > 0.0 else np.empty(0)
    return tuple(
        curves_through(principal, size * (principal.axes @ np.array([np.cos(angle), 0.0, np.sin(angle)])), samples)
        for angle in np.concatenate((about_minor, about_major))
    )
