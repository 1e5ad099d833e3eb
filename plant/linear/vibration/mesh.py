"""Mesh of hub and undeformed arms of a spacecraft at rest, for modes, reduction and static shapes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...brief import brief
from ...checks import of_kind
from ...elements.arm.arm import Arm
from ...elements.branch import branches
from ...errors import InputError
from ...frozen import frozen_arrays
from ...hub.composition import compose_mass
from ...hub.packing import mass_matrix
from ...hub.parameters import REDUCED, W_MOMENT
from ...hub.rigid_body import RigidBody

if TYPE_CHECKING:
    from ...spacecraft import Spacecraft

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Mesh:
    """Rigid hub with straight arms, in hub axes and relative to the hub's mass centre.

    The velocities are, in this order: v (3) and omega (3) of the hub; for each arm the strain rate of its root and, for
    each further node, v (3), omega (3) and strain rate.

    Attributes
    ----------
    arms : tuple of Arm
        The arms.
    hub : numpy.ndarray, shape (6, 6)
        Mass matrix of v and omega of all rigid parts.
    hub_mass : float
        Mass of all rigid parts, kg.
    hub_moment : numpy.ndarray, shape (3,)
        First moment of mass of all rigid parts, kg m: zero if the hub is the only one.
    pivot : numpy.ndarray, shape (3,), or None
        Position of the pivot, m; None: the hub is free.
    """

    arms: tuple[Arm, ...]
    hub: Array
    hub_mass: float
    hub_moment: Array
    pivot: Array | None = None

    __repr__ = brief

    @property
    def mass(self) -> float:
        """Mass of hub and arms, kg."""
        return self.hub_mass + sum(arm.mass for arm in self.arms)

    @property
    def degrees(self) -> int:
        """Number of velocities."""
        return 6 + sum(1 + 7 * arm.elements for arm in self.arms)

    @property
    def mass_centre(self) -> Array:
        """Mass centre of hub and arms, m, shape (3,)."""
        total = self.hub_moment.copy()
        for arm in self.arms:
            root, along = np.asarray(arm.root), np.asarray(arm.direction)
            beam = arm.section.mass_per_length * arm.length
            total += beam * (root + 0.5 * arm.length * along) + arm.tip_mass * (root + arm.length * along)
        return total / self.mass

    @property
    def hub_motions(self) -> Array:
        """Admissible v and omega of the hub as columns, shape (6, 6), or (6, 3) if pivoted."""
        if self.pivot is None:
            return np.eye(6)
        return np.vstack((_cross(self.pivot), np.eye(3)))  # v = omega x -pivot

    def rigid_rates(self, rate: ArrayLike, *, velocity: ArrayLike = (0.0, 0.0, 0.0)) -> Array:
        """Return the velocities of hub and nodes in a rigid motion, given the motion of the mass centre.

        Parameters
        ----------
        rate : array_like, shape (3,)
            Angular velocity, rad/s.
        velocity : array_like, shape (3,)
            Velocity of the mass centre, m/s.

        Returns
        -------
        numpy.ndarray, shape (degrees,)
            Velocities of hub and nodes, in the order given in the class docstring.
        """
        omega, centre = np.asarray(rate, dtype=np.float64), self.mass_centre
        velocities = [*(np.asarray(velocity) - np.cross(omega, centre)), *omega]
        for arm in self.arms:
            velocities.append(0.0)
            for n in range(1, arm.elements + 1):
                place = np.asarray(arm.root) + n * arm.element_length * np.asarray(arm.direction)
                velocities += [*(np.asarray(velocity) + np.cross(omega, place - centre)), *omega, 0.0]
        return np.array(velocities, dtype=np.float64)


def arms_of(craft: "Spacecraft") -> tuple[Arm, ...]:
    """Return the flexible arms of a spacecraft, in the order of its elements.

    Parameters
    ----------
    craft : Spacecraft
        Any spacecraft.

    Returns
    -------
    tuple of Arm
        The arms; empty if there are none.
    """
    return tuple(branch for branch in branches(craft.elements) if isinstance(branch, Arm))


def require_arms(craft: "Spacecraft") -> tuple[Arm, ...]:
    """Return the flexible arms of a spacecraft; raise InputError if it has no arms."""
    from ...spacecraft import Spacecraft

    of_kind("craft", craft, Spacecraft, such_as="a Spacecraft")
    arms = arms_of(craft)
    if not arms:
        raise InputError("the spacecraft has no flexible arms; give it elements=[plant.flexible.Arm(...)]")
    return arms


def mesh_of(craft: "Spacecraft", *, locked: bool) -> Mesh:
    """Return the mesh of hub and arms of a spacecraft.

    Parameters
    ----------
    craft : Spacecraft
        Spacecraft with flexible arms.
    locked : bool
        Whether other elements are locked to the hub at their initial coordinates; otherwise they are ignored.

    Returns
    -------
    Mesh
        The mesh.

    Raises
    ------
    InputError
        When the spacecraft has no arms.
    """
    from ...spacecraft import Spacecraft

    arms = require_arms(craft)
    inertia, mass, moment = craft.body.central_inertia, float(craft.body.mass or 0.0), np.zeros(3)
    others = [element for element in craft.elements if not isinstance(element, Arm)]
    if locked and others:
        outside = craft.torques.outside()
        # if no mass is stated: 1 kg at the pivot, which does not move
        near = Spacecraft(RigidBody(inertia, mass=mass or 1.0), torques=outside, elements=others)
        p, w = near.pack(), near.work_space()
        p[REDUCED] = 0.0
        inertia = mass_matrix(near, p, near.initial_coordinates)[:3, :3]
        compose_mass(0.0, near.at_rest(), np.zeros(3), p, w)
        mass, moment = near.mass, w[int(p[W_MOMENT]) : int(p[W_MOMENT]) + 3].copy()
    hub = np.zeros((6, 6))
    hub[:3, :3], hub[3:, 3:] = mass * np.eye(3), inertia
    hub[:3, 3:] = -_cross(moment)
    hub[3:, :3] = hub[:3, 3:].T
    pivot = None if craft.body.pivot is None else np.array(craft.body.pivot)
    return Mesh(arms=arms, hub=hub, hub_mass=mass, hub_moment=moment, pivot=pivot)


def free_mesh_of(craft: "Spacecraft", *, locked: bool) -> Mesh:
    """Return the mesh of a free spacecraft; raise InputError if it is pivoted."""
    mesh = mesh_of(craft, locked=locked)
    if mesh.pivot is not None:
        raise InputError(
            "modes in flight, and models of hub and modes, require a free spacecraft; omit the pivot, or linearise "
            "with craft.linearize(x)"
        )
    return mesh


def _cross(a: Array) -> Array:
    """Return the cross-product matrix [a x]."""
    x, y, z = a
    return np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
