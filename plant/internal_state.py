"""The internal part of a craft's state, and what its elements must fit."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import vector
from .composition import element_forces
from .dynamics import body_rate
from .elements.element import Element
from .errors import InputError
from .packing import mass_matrix
from .parameters import W_G
from .potentials import GravityGradient, GuidedSpring, Spring
from .torque.kernels import components

if TYPE_CHECKING:
    from .spacecraft import Spacecraft

__all__ = ["check_elements", "element_coordinates", "internal_state"]

Array = NDArray[np.float64]


def element_coordinates(elements: Sequence[Element]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names and units of all internal coordinates.

    Parameters
    ----------
    elements : sequence of Element
        The elements of a craft.

    Returns
    -------
    names : tuple of str
        A number is put behind the names of elements of which there are several: wheel_1_angle, wheel_2_angle.
    units : tuple of str
        Their units.
    """
    total = Counter(element.coordinates for element in elements)
    seen: Counter[tuple[str, ...]] = Counter()
    names: list[str] = []
    units: list[str] = []
    for element in elements:
        seen[element.coordinates] += 1
        for name in element.coordinates:
            head, _, tail = name.partition("_")
            several = total[element.coordinates] > 1
            names.append(f"{head}_{seen[element.coordinates]}_{tail}" if several else name)
        units += element.units
    return tuple(names), tuple(units)


def check_elements(craft: "Spacecraft") -> None:
    """Raise when the elements do not fit the craft.

    Parameters
    ----------
    craft : Spacecraft
        The craft.

    Raises
    ------
    InputError
        When the mass centre of the whole moves and the hub has no mass, a potential cannot follow that, or the
        mass matrix is not positive definite.
    """
    if craft.torques.internal:
        _check_internal_torque(craft)
    if not craft.elements:
        return
    moving = any(element.moves_mass for element in craft.elements)
    if moving and craft.body.pivot is None:
        if craft.body.mass is None:
            raise InputError(
                "an element moves the mass centre of the whole, so the mass of the hub matters: give "
                "RigidBody(..., mass=...) in kg, or RigidBody(..., pivot=(0, 0, 0)) for a hub held at its mass centre"
            )
        if any(isinstance(potential, Spring | GuidedSpring) for potential in craft.potentials):
            raise InputError(
                "a spring cannot be tied to a craft whose mass centre its elements move; hold it by a pivot"
            )
    varying = any(element.moves_mass or not element.constant for element in craft.elements)
    if varying and any(isinstance(potential, GravityGradient) for potential in craft.potentials):
        raise InputError("the gravity gradient needs elements that leave the inertia as it is, such as wheels")
    matrix = mass_matrix(craft, craft.pack(), craft.initial_coordinates)
    low = float(np.linalg.eigvalsh(matrix / np.sqrt(np.outer(np.abs(np.diag(matrix)), np.abs(np.diag(matrix))))).min())
    if not low > 1e-12:
        raise InputError(
            "the mass matrix of hub and elements is not positive definite (smallest eigenvalue, scaled, "
            f"{low:.3g}): an element has more inertia about an axis than the hub it is part of; check the units"
        )


def _check_internal_torque(craft: "Spacecraft") -> None:
    """Raise unless the elements give the hub the torque that is demanded of them, at rest and within their limits."""
    n = len(craft.layout.coordinates)
    p, w = craft.pack(), craft.work_space()
    x = np.zeros(craft.layout.size)
    x[3:7] = 0.7, 0.1, 0.5, 0.5  # no singular pose of any sequence
    basis = craft.torques
    x[craft.layout.internal] = craft.initial_coordinates
    given = np.zeros((3, 3))
    if n:
        matrix = mass_matrix(craft, p, craft.initial_coordinates)
        share = np.linalg.solve(matrix[3:, 3:], matrix[3:, :3])  # D^-1 N'
        small = 1e-9  # a demand that no limit cuts off
        for axis in range(3):
            u = small * np.array(components(basis.code, *basis.axes, *x[3:7], *np.eye(3)[axis]))
            forces: list[Array] = []
            for command in (u, -u):
                body_rate(0.0, x, command, p, w)
                element_forces(0.0, x, command, p, w)
                forces.append(w[int(p[W_G]) : int(p[W_G]) + n].copy())
            given[:, axis] = share.T @ (forces[1] - forces[0]) / (2.0 * small)
    if np.abs(given - np.eye(3)).max() > 1e-6:
        raise InputError(
            "with TorqueBasis(..., internal=True) the elements must give the hub the torque demanded of them; for a "
            f"demand of 1 N m about x, y, z they give {given.T.round(6).tolist()}: use three wheels or more whose axes "
            "span space, each with its `command` (plant.wheel_array)"
        )


def internal_state(
    craft: "Spacecraft",
    attitude: Array,
    momentum: Array | None,
    rate: Array | None,
    internal: ArrayLike | None,
    internal_rate: ArrayLike | None,
) -> tuple[Array, Array, Array, Array]:
    """Return momentum, attitude, internal coordinates and internal momenta.

    Parameters
    ----------
    craft : Spacecraft
        The craft.
    attitude : numpy.ndarray, shape (4,)
        Euler parameters.
    momentum : numpy.ndarray, shape (3,), or None
        pi, N m s; or the rate is given.
    rate : numpy.ndarray, shape (3,), or None
        omega, rad/s; zero when the momentum is not given either.
    internal : array_like, shape (n,), or None
        s; what the elements say if None.
    internal_rate : array_like, shape (n,), or None
        sdot; what the elements say if None.

    Returns
    -------
    tuple of numpy.ndarray
        pi, e, s, p.
    """
    n = len(craft.layout.coordinates)
    s = craft.initial_coordinates if internal is None else vector("internal coordinates", internal, n)
    v = craft.initial_rates if internal_rate is None else vector("internal rates", internal_rate, n)
    if n == 0:
        omega = np.zeros(3) if rate is None else rate
        return craft.body.inertia @ omega if momentum is None else momentum, attitude, s, v
    matrix = mass_matrix(craft, craft.pack(), s)
    if momentum is None:
        omega = np.zeros(3) if rate is None else rate
    else:
        omega = np.linalg.solve(matrix[:3, :3], momentum - matrix[:3, 3:] @ v)
    whole = matrix @ np.concatenate([omega, v])
    return whole[:3] if momentum is None else momentum, attitude, s, whole[3:]
