"""Dense mass, stiffness and damping matrices of a flexible satellite in any position, from the nonlinear elements."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..brief import brief
from ..frozen import frozen_arrays
from . import layout as at
from .equations import configuration
from .mass import element_mass
from .packing import Workspace
from .tangent import element_tangent

if TYPE_CHECKING:
    from .satellite import FlexibleSatellite

__all__ = ["Matrices", "matrices"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Matrices:
    """M nudot + C nu + K x = forces about a position at rest, in inertial components.

    Attributes
    ----------
    M : numpy.ndarray, shape (degrees, degrees)
        Mass: kg, kg m, kg m^2.
    C : numpy.ndarray, shape (degrees, degrees)
        Strain-rate damping.
    K : numpy.ndarray, shape (degrees, degrees)
        Tangent stiffness, minus the derivative of the forces by place, turn and strain.
    """

    M: Array
    C: Array
    K: Array

    __repr__ = brief


def matrices(satellite: "FlexibleSatellite", q: ArrayLike) -> Matrices:
    """Return the matrices at a position.

    The stiffness is the exact second derivative of the strain energy, by complex steps of the element's own kernel;
    attachments are taken as rigid and unloaded, which is exact for the undeformed satellite and for a hub that is held.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms.
    q : array_like, shape (positions,)
        Positions.

    Returns
    -------
    Matrices
        Dense.
    """
    p, n = satellite.parameters, satellite.degrees
    work = Workspace.of(satellite.arms)
    configuration(np.asarray(q, dtype=np.float64), p, work.pose, work.rho, work.axes)
    M, C, K = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    turn = work.axes.T
    M[:3, :3] = float(satellite.hub.mass or 0.0) * np.eye(3)
    M[3:6, 3:6] = turn @ satellite.hub.central_inertia @ turn.T
    pairs = [np.zeros((2, k), dtype=np.complex128) for k in (at.POSE, 7, 7, 7)]
    row, first, base = 0, 6, at.HEADER_SIZE
    for k, arm in enumerate(satellite.arms):
        maps = _places(first, arm.elements, work.rho[k])
        for i in range(arm.elements):
            diag, off, stiff = np.zeros((2, 49)), np.zeros((2, 49)), np.zeros((14, 14))
            element_mass(p, base, 0, work.pose[row + i : row + i + 2], work.rows, diag, off)
            element_tangent(p, base, row + i, work.pose, *pairs, stiff)
            corner = off[0].reshape(7, 7)
            mass = np.block([[diag[0].reshape(7, 7), corner], [corner.T, diag[1].reshape(7, 7)]])
            if i == arm.elements - 1:
                mass[7:10, 7:10] += arm.tip_mass * np.eye(3)
            columns, B = _together(maps[i], maps[i + 1])
            where = np.ix_(columns, columns)
            M[where] += B.T @ mass @ B
            K[where] += B.T @ stiff @ B
            C[where] += arm.section.damping_time * (B.T @ stiff @ B)
        row, first, base = row + arm.elements + 1, first + 1 + 7 * arm.elements, base + at.ARM_SIZE
    return Matrices(M=M, C=C, K=K)


def _places(first: int, elements: int, rho: Array) -> list[tuple[list[int], Array]]:
    """For each node of an arm: which velocities move it, and how."""
    root = np.zeros((7, 7))
    root[:6, :6] = np.eye(6)
    root[:3, 3:6] = ((0, rho[2], -rho[1]), (-rho[2], 0, rho[0]), (rho[1], -rho[0], 0))  # -[rho x]
    root[6, 6] = 1.0
    found: list[tuple[list[int], Array]] = [([0, 1, 2, 3, 4, 5, first], root)]
    for i in range(elements):
        begin = first + 1 + 7 * i
        found.append((list(range(begin, begin + 7)), np.eye(7)))
    return found


def _together(a: tuple[list[int], Array], b: tuple[list[int], Array]) -> tuple[list[int], Array]:
    return a[0] + b[0], np.block([[a[1], np.zeros((7, 7))], [np.zeros((7, 7)), b[1]]])
