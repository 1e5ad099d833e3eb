"""Modes of the arms on a hub held fast, and how hub and modes move each other."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..brief import brief
from ..frozen import frozen_arrays
from ..one_thread import one_thread
from .alike import aligned, groups
from .mesh import Mesh, free_mesh_of
from .mesh_modes import mesh_modes

if TYPE_CHECKING:
    from ..spacecraft import Spacecraft

__all__ = ["AppendageModes", "appendage_modes", "mesh_appendages"]

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class AppendageModes:
    """Hub and modes: every small motion of hub and arms, in coordinates fit for control.

    With the turn and drift of the whole as one rigid body, and modes eta of unit modal mass on a hub held fast,

        kinetic energy  1/2 w'J w + 1/2 m v'v + 1/2 eta' eta'  + w' delta eta' + v' L eta'
        strain energy   1/2 sum_k (w_k eta_k)^2

    where w is the rate of the hub and v the velocity the mass centre would have, were the arms rigid.

    Attributes
    ----------
    frequencies : numpy.ndarray, shape (n,)
        w_k, ascending, rad/s.
    damping_ratios : numpy.ndarray, shape (n,)
        Of each mode, from the strain-rate damping of the arms' material alone.
    rotation : numpy.ndarray, shape (3, n)
        delta about the mass centre of hub and arms, hub axes, kg^0.5 m.
    translation : numpy.ndarray, shape (3, n)
        L, kg^0.5.
    shapes : numpy.ndarray, shape (degrees, n)
        Columns in the order of the velocities, per unit eta.
    inertia : numpy.ndarray, shape (3, 3)
        J of hub and undeformed arms about their mass centre, kg m^2.
    mass : float
        m, kg.
    """

    frequencies: Array
    damping_ratios: Array
    rotation: Array
    translation: Array
    shapes: Array
    inertia: Array
    mass: float

    __repr__ = brief

    @property
    def effective_inertia(self) -> Array:
        """delta_k delta_k' of each mode, shape (n, 3, 3), kg m^2: what of J stays behind above its frequency."""
        return np.einsum("ik,jk->kij", self.rotation, self.rotation)

    @property
    def effective_mass(self) -> Array:
        """L_k L_k' of each mode, shape (n, 3, 3), kg."""
        return np.einsum("ik,jk->kij", self.translation, self.translation)

    @property
    def mass_matrix(self) -> Array:
        """Of (hub rate, modal rates) with the mass centre of the whole left free, shape (3 + n, 3 + n).

        No force acts from outside, so m v = -L eta', and modal mass 1 becomes 1 - L'L/m.
        """
        n = self.frequencies.size
        own: Array = np.eye(n) - self.translation.T @ self.translation / self.mass
        return np.block([[self.inertia, self.rotation], [self.rotation.T, own]])

    @property
    @one_thread
    def free_frequencies(self) -> Array:
        """Of hub and modes in free flight, ascending, rad/s, shape (n,)."""
        own = self.mass_matrix[3:, 3:] - self.rotation.T @ np.linalg.solve(self.inertia, self.rotation)  # pi = 0
        root: Array = np.diag(1.0 / self.frequencies)
        values = np.linalg.eigvalsh(root @ (0.5 * (own + own.T)) @ root)
        return np.sqrt(1.0 / values)[::-1]

    def of(self, keep: NDArray[np.intp]) -> "AppendageModes":
        """Return some of the modes.

        Parameters
        ----------
        keep : numpy.ndarray of int
            Which, from 0.

        Returns
        -------
        AppendageModes
            In the order asked for.
        """
        return AppendageModes(
            frequencies=self.frequencies[keep],
            damping_ratios=self.damping_ratios[keep],
            rotation=self.rotation[:, keep],
            translation=self.translation[:, keep],
            shapes=self.shapes[:, keep],
            inertia=self.inertia,
            mass=self.mass,
        )


@one_thread
def appendage_modes(craft: "Spacecraft") -> AppendageModes:
    """Return all modes of the arms on a hub held fast.

    Of modes that share a frequency those mixtures are taken that turn or move the hub about or along as few axes as
    they can, so that participation can be read.

    Parameters
    ----------
    craft : Spacecraft
        With flexible arms; what other elements it has are left out, for they bring their own inertia.

    Returns
    -------
    AppendageModes
        From the exact derivatives of the nonlinear element.

    Raises
    ------
    InputError
        When the craft has no arms or is held at a pivot.
    """
    return mesh_appendages(free_mesh_of(craft, locked=False))


def mesh_appendages(mesh: Mesh) -> AppendageModes:
    """Return all modes of the arms of a mesh on its hub held fast."""
    found = mesh_modes(mesh, clamped=True)
    M, C = found.matrices.M, found.matrices.C
    still = np.zeros(3)
    rigid = np.column_stack(
        [mesh.rigid_rates(rate) for rate in np.eye(3)] + [mesh.rigid_rates(still, velocity=v) for v in np.eye(3)]
    )
    whole: Array = rigid.T @ M @ rigid
    onto = M @ rigid
    scale: Array = 1.0 / np.sqrt(whole.diagonal())
    shapes = found.shapes.copy()
    for group in groups(found.frequencies):
        own = shapes[:, group]
        if own.shape[1] > 1:
            shapes[:, group] = own @ aligned(own.T @ C @ own, (own.T @ onto) * scale)
    pushes = onto.T @ shapes
    largest = np.abs(scale[:, None] * pushes).argmax(axis=0)
    sign = np.where(np.take_along_axis(pushes, largest[None], axis=0)[0] < 0.0, -1.0, 1.0)
    shapes, pushes = shapes * sign, pushes * sign
    noise = 1e-10 * np.sqrt(whole.diagonal())[:, None]
    pushes[np.abs(pushes) < noise] = 0.0
    # On a hub held fast every mode is one arm's, or a mixture of arms that are alike: damping is diagonal.
    damping = np.einsum("ik,ij,jk->k", shapes, C, shapes)
    return AppendageModes(
        frequencies=found.frequencies,
        damping_ratios=0.5 * np.where(damping > 1e-12 * np.abs(C).max(), damping, 0.0) / found.frequencies,
        rotation=pushes[:3],
        translation=pushes[3:],
        shapes=shapes,
        inertia=0.5 * (whole[:3, :3] + whole[:3, :3].T),
        mass=mesh.mass,
    )
