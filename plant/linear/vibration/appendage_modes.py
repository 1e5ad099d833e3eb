"""Modes of the arms on a fixed hub, and their coupling to the hub."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...brief import brief
from ...frozen import frozen_arrays
from ...one_thread import one_thread
from .alike import aligned, groups
from .mesh import Mesh, free_mesh_of
from .mesh_modes import mesh_modes

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class AppendageModes:
    """Hub and modes: all small motions of hub and arms, in coordinates for control design.

    With the rotation and translation of the undeformed spacecraft, and modes eta of unit modal mass on a fixed hub,

        kinetic energy  1/2 w'J w + 1/2 m v'v + 1/2 eta' eta'  + w' delta eta' + v' L eta'
        strain energy   1/2 sum_k (w_k eta_k)^2

    where w is the rate of the hub and v the velocity of the mass centre if the arms were rigid.

    Attributes
    ----------
    frequencies : numpy.ndarray, shape (n,)
        w_k, natural frequencies on a fixed hub, ascending, rad/s.
    damping_ratios : numpy.ndarray, shape (n,)
        Damping ratio of each mode, due only to the strain-rate damping of the arm material.
    rotation : numpy.ndarray, shape (3, n)
        Rotational participation delta about the mass centre of hub and arms, hub axes, kg^0.5 m.
    translation : numpy.ndarray, shape (3, n)
        Translational participation L, kg^0.5.
    shapes : numpy.ndarray, shape (degrees, n)
        Mode shapes as columns, in the order of the velocities, per unit eta.
    inertia : numpy.ndarray, shape (3, 3)
        J of hub and undeformed arms about their mass centre, kg m^2.
    mass : float
        m, mass of hub and arms, kg.
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
        """Effective inertia delta_k delta_k', the part of J that decouples above w_k, shape (n, 3, 3), kg m^2."""
        return np.einsum("ik,jk->kij", self.rotation, self.rotation)

    @property
    def effective_mass(self) -> Array:
        """Effective mass L_k L_k' of each mode, shape (n, 3, 3), kg."""
        return np.einsum("ik,jk->kij", self.translation, self.translation)

    @property
    def mass_matrix(self) -> Array:
        """Mass matrix of hub rate and modal rates, with a free total mass centre, shape (3 + n, 3 + n).

        If there is no external force, m v = -L eta', so the modal mass 1 becomes 1 - L'L/m.
        """
        n = self.frequencies.size
        own: Array = np.eye(n) - self.translation.T @ self.translation / self.mass
        return np.block([[self.inertia, self.rotation], [self.rotation.T, own]])

    @property
    @one_thread
    def free_frequencies(self) -> Array:
        """Natural frequencies of hub and modes in free flight, ascending, rad/s, shape (n,)."""
        own = self.mass_matrix[3:, 3:] - self.rotation.T @ np.linalg.solve(self.inertia, self.rotation)  # pi = 0
        root: Array = np.diag(1.0 / self.frequencies)
        values = np.linalg.eigvalsh(root @ (0.5 * (own + own.T)) @ root)
        return np.sqrt(1.0 / values)[::-1]

    def of(self, keep: NDArray[np.intp]) -> "AppendageModes":
        """Return a selection of the modes.

        Parameters
        ----------
        keep : numpy.ndarray of int
            Indices of the modes, from 0.

        Returns
        -------
        AppendageModes
            The selected modes in the given order.
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
    """Return all modes of the arms on a fixed hub.

    For modes of equal frequency, the basis is chosen such that each mode excites the rotation and translation of the
    hub along as few axes as possible, which makes the participation easy to interpret.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms. All other elements are ignored, since they add their own inertia separately.

    Returns
    -------
    AppendageModes
        Modes from the exact derivatives of the nonlinear beam element.

    Raises
    ------
    InputError
        When the spacecraft has no arms or is pivoted.
    """
    return mesh_appendages(free_mesh_of(craft, locked=False))


def mesh_appendages(mesh: Mesh) -> AppendageModes:
    """Return all modes of the arms of a mesh, with the hub fixed."""
    clamped = mesh_modes(mesh, clamped=True)
    M, C = clamped.matrices.M, clamped.matrices.C
    zero = np.zeros(3)
    rigid = np.column_stack(
        [mesh.rigid_rates(rate) for rate in np.eye(3)] + [mesh.rigid_rates(zero, velocity=v) for v in np.eye(3)]
    )
    whole: Array = rigid.T @ M @ rigid
    onto = M @ rigid
    scale: Array = 1.0 / np.sqrt(whole.diagonal())
    shapes = clamped.shapes.copy()
    for group in groups(clamped.frequencies):
        own = shapes[:, group]
        if own.shape[1] > 1:
            shapes[:, group] = own @ aligned(own.T @ C @ own, (own.T @ onto) * scale)
    pushes = onto.T @ shapes
    largest = np.abs(scale[:, None] * pushes).argmax(axis=0)
    sign = np.where(np.take_along_axis(pushes, largest[None], axis=0)[0] < 0.0, -1.0, 1.0)
    shapes, pushes = shapes * sign, pushes * sign
    noise = 1e-10 * np.sqrt(whole.diagonal())[:, None]
    pushes[np.abs(pushes) < noise] = 0.0
    # On a fixed hub every mode belongs to one arm, or combines equal arms: the damping matrix is diagonal.
    damping = np.einsum("ik,ij,jk->k", shapes, C, shapes)
    return AppendageModes(
        frequencies=clamped.frequencies,
        damping_ratios=0.5 * np.where(damping > 1e-12 * np.abs(C).max(), damping, 0.0) / clamped.frequencies,
        rotation=pushes[:3],
        translation=pushes[3:],
        shapes=shapes,
        inertia=0.5 * (whole[:3, :3] + whole[:3, :3].T),
        mass=mesh.mass,
    )
