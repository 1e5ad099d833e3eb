"""Limits of the kinetic energy of a free body with a given momentum."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from ...checks import positive
from ...in_range import in_range
from .principal import principal_axes


@dataclass(frozen=True, kw_only=True)
class EnergyLimits:
    """Limits of the kinetic energy of a body with a momentum H, J.

    Attributes
    ----------
    lowest : float
        H^2 / 2 J_major: the spin about the major axis.
    separatrix : float
        H^2 / 2 J_middle: the energy on the separatrix.
    highest : float
        H^2 / 2 J_minor: the spin about the minor axis.
    """

    lowest: float
    separatrix: float
    highest: float


@in_range("the limits of energy")
def energy_limits(inertia: ArrayLike, momentum: float) -> EnergyLimits:
    """Return the limits of the kinetic energy for a given momentum, and the energy of the separatrix.

    Parameters
    ----------
    inertia : array_like, shape (3,) or (3, 3)
        Inertia, kg m^2.
    momentum : float
        H, N m s.

    Returns
    -------
    EnergyLimits
        The energies, J.

    Raises
    ------
    InputError
        When the inertia is not physical or H is not positive.

    Examples
    --------
    >>> energy_limits((1.0, 2.0, 2.5), 10.0)
    EnergyLimits(lowest=20.0, separatrix=25.0, highest=50.0)
    """
    square = 0.5 * positive("momentum", momentum, "N m s") ** 2
    minor, middle, major = (float(moment) for moment in principal_axes(inertia).moments)
    return EnergyLimits(lowest=square / major, separatrix=square / middle, highest=square / minor)
