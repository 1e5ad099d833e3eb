"""How long a step the explicit methods can take."""

import cmath

import numpy as np

from ...plant.checks import choice
from ...plant.flexible import FlexibleSatellite
from ..steppers.phase_error import stability_polynomial

__all__ = ["EXPLICIT", "stability_limit", "stable_step"]

EXPLICIT = ("rk4", "rk8")


def stability_limit(method: str, *, damping_ratio: float = 0.0) -> float:
    """Return the largest h omega for which a mode does not grow.

    Parameters
    ----------
    method : str
        "rk4" or "rk8".
    damping_ratio : float
        Of the mode.

    Returns
    -------
    float
        2.828 for "rk4" without damping.

    Examples
    --------
    >>> round(stability_limit("rk4"), 3)
    2.828
    """
    turn = cmath.sqrt(damping_ratio * damping_ratio - 1.0)
    direction = -(damping_ratio + turn)  # the faster of lambda / omega
    reach = (1e-4 / abs(direction)) * np.arange(1, 80001)
    grown = np.abs(np.polyval(stability_polynomial(choice("method", method, EXPLICIT)), direction * reach)) > 1.0 + 1e-6
    return float(reach[int(grown.argmax()) - 1]) if grown.any() else float(reach[-1])


def stable_step(satellite: FlexibleSatellite, method: str = "rk4") -> float:
    """Return the largest step an explicit method can take about rest.

    It is set by the fastest mode of the mesh, an axial one that nobody wants to resolve; implicit methods have no such
    limit.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms.
    method : str
        "rk4" or "rk8".

    Returns
    -------
    float
        s.
    """
    modes = satellite.modes()
    fastest = int(modes.frequencies.argmax())
    damped = int((modes.frequencies * (1.0 + modes.damping_ratios)).argmax())
    return min(
        stability_limit(method, damping_ratio=float(modes.damping_ratios[k])) / float(modes.frequencies[k])
        for k in {fastest, damped}
    )
