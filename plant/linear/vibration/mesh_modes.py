"""Vibration modes about rest, from the exact linearisation of the nonlinear elements."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...brief import brief
from ...errors import InputError
from ...frozen import frozen_arrays
from ...one_thread import one_thread
from .matrices import Matrices, matrices
from .mesh import Mesh, mesh_of

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class MeshModes:
    """Modes of a spacecraft with undeformed arms at rest: K x = w^2 M x, x' M x = 1.

    Attributes
    ----------
    matrices : Matrices
        M, C and K in hub axes.
    rigid : int
        Number of rigid motions: six if free, three if pivoted, none on a fixed hub.
    frequencies : numpy.ndarray, shape (n,)
        Angular frequencies, ascending, rad/s; the zeros of rigid motions come first.
    shapes : numpy.ndarray, shape (degrees, n)
        Mode shapes as columns in the order of the velocities: positions (m) and rotations (rad) of hub and nodes,
        strains.
    damping_ratios : numpy.ndarray, shape (n,)
        Damping ratio of each mode; zero for rigid motions.
    """

    matrices: Matrices
    rigid: int
    frequencies: Array
    shapes: Array
    damping_ratios: Array

    __repr__ = brief

    @property
    def hertz(self) -> Array:
        """Frequencies of the elastic modes, Hz."""
        return self.frequencies[self.rigid :] / (2.0 * np.pi)


@one_thread
def modes_of(craft: "Spacecraft", *, clamped: bool = False, count: int | None = None) -> MeshModes:
    """Return the lowest modes of hub and arms about rest.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms; other elements are locked to the hub at their initial coordinates.
    clamped : bool
        Whether the hub is fixed; otherwise it is free, or rotates about its pivot.
    count : int, optional
        Number of modes, including the rigid ones. Default: all.

    Returns
    -------
    MeshModes
        Modes with their matrices.

    Raises
    ------
    InputError
        When the spacecraft has no arms.

    Examples
    --------
    The satellite of Choi (2014): a cube with two arms.

    >>> from polhode.plant import RigidBody, Spacecraft
    >>> from polhode.plant.flexible import Arm, BeamSection
    >>> section = BeamSection(
    ...     area=2.5e-3, second_moment_m=5.2e-7, second_moment_n=5.2e-7, youngs_modulus=7.17e10,
    ...     shear_modulus=2.68e10, density=2.8e3,
    ... )
    >>> arms = [
    ...     Arm(section=section, length=2.0, elements=4, direction=(s, 0, 0), root=(0.1 * s, 0, 0)) for s in (1, -1)
    ... ]
    >>> modes_of(Spacecraft(RigidBody(0.149 * np.eye(3), mass=22.4), elements=arms), count=10).hertz.round(1)
    array([12.6, 12.6, 40. , 40. ])
    """
    return mesh_modes(mesh_of(craft, locked=True), clamped=clamped, count=count)


def mesh_modes(mesh: Mesh, *, clamped: bool = False, count: int | None = None) -> MeshModes:
    """Return the lowest modes of a mesh about rest."""
    from scipy import linalg

    scipy_linalg: Any = linalg  # scipy has no types
    system, n = matrices(mesh), mesh.degrees
    hub = np.zeros((6, 0)) if clamped else mesh.hub_motions
    rigid = hub.shape[1]
    basis = np.zeros((n, n - 6 + rigid))
    basis[:6, :rigid], basis[6:, rigid:] = hub, np.eye(n - 6)
    mass, stiffness = (basis.T @ part @ basis for part in (system.M, system.K))
    subset = None if count is None else (0, min(count, len(mass)) - 1)
    # Strain and position stiffnesses differ by orders of magnitude; scaling keeps the accuracy of low modes.
    scale: Array = 1.0 / np.sqrt(mass.diagonal())
    stiffness = 0.5 * scale[:, None] * (stiffness + stiffness.T) * scale
    try:
        with one_thread:
            solution = scipy_linalg.eigh(stiffness, scale[:, None] * mass * scale, subset_by_index=subset)
    except np.linalg.LinAlgError:
        raise InputError(
            "the vibration modes of the flexible arms cannot be computed in double precision: the terms of their mass "
            "matrix differ by too many orders of magnitude; check the units of area, second moments and density"
        ) from None
    values, vectors = (np.asarray(part, dtype=np.float64) for part in solution)
    shapes: Array = basis @ (scale[:, None] * vectors)
    frequencies = np.sqrt(np.maximum(values, 0.0))
    frequencies[:rigid] = 0.0
    ratios = np.zeros(values.size)
    damping = np.einsum("ik,ij,jk->k", shapes, system.C, shapes)
    ratios[rigid:] = 0.5 * damping[rigid:] / frequencies[rigid:]
    return MeshModes(matrices=system, rigid=rigid, frequencies=frequencies, shapes=shapes, damping_ratios=ratios)
