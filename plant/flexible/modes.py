"""Vibration about rest: the nonlinear element, linearised exactly."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..brief import brief
from ..frozen import frozen_arrays
from ..one_thread import one_thread
from .matrices import Matrices, matrices

if TYPE_CHECKING:
    from .satellite import FlexibleSatellite

__all__ = ["FlexibleModes", "modes_of"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class FlexibleModes:
    """Modes of the undeformed satellite at rest: K x = w^2 M x, x' M x = 1.

    Attributes
    ----------
    matrices : Matrices
        M, C and K in hub axes.
    clamped : bool
        Whether the hub is held.
    frequencies : numpy.ndarray, shape (n,)
        Circular frequencies, ascending, rad/s; the first six of a free satellite are its rigid motions, zero.
    shapes : numpy.ndarray, shape (degrees, n)
        Columns in the order of the velocities: places (m) and turns (rad) of hub and nodes, strains.
    damping_ratios : numpy.ndarray, shape (n,)
        Of each mode; zero for rigid motions.
    """

    matrices: Matrices
    clamped: bool
    frequencies: Array
    shapes: Array
    damping_ratios: Array

    __repr__ = brief

    @property
    def hertz(self) -> Array:
        """Frequencies of the elastic modes, Hz."""
        skip = 0 if self.clamped else 6
        return self.frequencies[skip:] / (2.0 * np.pi)


@one_thread
def modes_of(satellite: "FlexibleSatellite", *, clamped: bool = False, count: int | None = None) -> FlexibleModes:
    """Return the lowest modes of a satellite about rest.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms.
    clamped : bool
        True holds the hub.
    count : int, optional
        How many modes, rigid ones included; all if left out.

    Returns
    -------
    FlexibleModes
        With the matrices they are of.
    """
    from scipy import linalg

    scipy_linalg: Any = linalg  # scipy has no types
    found = matrices(satellite, satellite.straight())
    keep = slice(6 if clamped else 0, None)
    stiffness, mass = found.K[keep, keep], found.M[keep, keep]
    wanted = None if count is None else (0, min(count, mass.shape[0]) - 1)
    # Strains and places differ by orders of magnitude in stiffness: scaled, small frequencies keep their digits.
    scale: Array = 1.0 / np.sqrt(mass.diagonal())
    stiffness = 0.5 * scale[:, None] * (stiffness + stiffness.T) * scale
    with one_thread:
        solution = scipy_linalg.eigh(stiffness, scale[:, None] * mass * scale, subset_by_index=wanted)
    values, vectors = (np.asarray(part, dtype=np.float64) for part in solution)
    shapes = np.zeros((satellite.degrees, values.size))
    shapes[keep] = scale[:, None] * vectors
    rigid = 0 if clamped else 6
    frequencies = np.sqrt(np.maximum(values, 0.0))
    frequencies[:rigid] = 0.0
    ratios = np.zeros(values.size)
    damping = np.einsum("ik,ij,jk->k", shapes, found.C, shapes)
    ratios[rigid:] = 0.5 * damping[rigid:] / frequencies[rigid:]
    return FlexibleModes(matrices=found, clamped=clamped, frequencies=frequencies, shapes=shapes, damping_ratios=ratios)
