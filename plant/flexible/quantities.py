"""What the states of a flexible satellite mean, for many states at once."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..attitude import rotation_matrix

if TYPE_CHECKING:
    from .satellite import FlexibleSatellite

__all__ = ["angular_momentum", "linear_momentum", "mass_centre", "node_places", "tip_deflection"]

Array = NDArray[np.float64]


def node_places(satellite: "FlexibleSatellite", x: Array, arm: int) -> tuple[Array, Array]:
    """Return where the nodes of an arm are and the slopes dr/dx there, inertial components.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms.
    x : numpy.ndarray, shape (n, positions + degrees)
        States.
    arm : int
        Which arm, from 0.

    Returns
    -------
    tuple of numpy.ndarray
        Places r, m, and slopes (1 + strain) l; shape (n, elements + 1, 3) each, the root first.
    """
    own = satellite.arms[arm]
    at = 7 + sum(1 + 8 * a.elements for a in satellite.arms[:arm])
    hub = rotation_matrix(_unit(x[:, 3:7]))
    root = x[:, :3] + hub @ np.asarray(own.root)
    slope = (1.0 + x[:, at, None]) * (hub @ np.asarray(own.direction))
    nodes = x[:, at + 1 : at + 1 + 8 * own.elements].reshape(len(x), own.elements, 8)
    slopes = (1.0 + nodes[:, :, 7, None]) * rotation_matrix(_unit(nodes[:, :, 3:7]))[..., 0]
    return np.concatenate((root[:, None], nodes[:, :, :3]), axis=1), np.concatenate((slope[:, None], slopes), axis=1)


def _unit(e: Array) -> Array:
    return e / np.sqrt((e * e).sum(axis=-1, keepdims=True))


def mass_centre(satellite: "FlexibleSatellite", x: Array) -> Array:
    """Return the place of the mass centre.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms.
    x : numpy.ndarray, shape (n, positions + degrees)
        States.

    Returns
    -------
    numpy.ndarray, shape (n, 3)
        Inertial components, m.
    """
    total = float(satellite.hub.mass or 0.0) * x[:, :3]
    for k, arm in enumerate(satellite.arms):
        r, slope = node_places(satellite, x, k)
        L = arm.element_length
        middle = 0.5 * (r[:, :-1] + r[:, 1:]) + L / 12.0 * (slope[:, :-1] - slope[:, 1:])
        total = total + arm.section.mass_per_length * L * middle.sum(axis=1) + arm.tip_mass * r[:, -1]
    return total / satellite.mass


def tip_deflection(satellite: "FlexibleSatellite", x: Array) -> Array:
    """Return how far each tip is from where it would be on a rigid arm.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms.
    x : numpy.ndarray, shape (n, positions + degrees)
        States.

    Returns
    -------
    numpy.ndarray, shape (n, arms, 3)
        Components along l, m, n of the arm's root, m.
    """
    hub = rotation_matrix(_unit(x[:, 3:7]))
    found: list[Array] = []
    for k, arm in enumerate(satellite.arms):
        r, _ = node_places(satellite, x, k)
        local = np.einsum("nij,ni->nj", hub @ arm.frame, r[:, -1] - r[:, 0])
        found.append(local - (arm.length, 0.0, 0.0))
    return np.stack(found, axis=1)


def linear_momentum(satellite: "FlexibleSatellite", x: Array) -> Array:
    """Return the linear momentum.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms.
    x : numpy.ndarray, shape (n, positions + degrees)
        States.

    Returns
    -------
    numpy.ndarray, shape (n, 3)
        Inertial components, N s.
    """
    p = x[:, satellite.positions :]
    total, at = p[:, :3].copy(), 6
    for arm in satellite.arms:
        total += p[:, at + 1 : at + 1 + 7 * arm.elements].reshape(len(x), -1, 7)[:, :, :3].sum(axis=1)
        at += 1 + 7 * arm.elements
    return total


def angular_momentum(satellite: "FlexibleSatellite", x: Array) -> Array:
    """Return the angular momentum about the origin.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms.
    x : numpy.ndarray, shape (n, positions + degrees)
        States.

    Returns
    -------
    numpy.ndarray, shape (n, 3)
        Inertial components, N m s.
    """
    p = x[:, satellite.positions :]
    total, at, qt = p[:, 3:6] + np.cross(x[:, :3], p[:, :3]), 6, 7
    for arm in satellite.arms:
        own = p[:, at + 1 : at + 1 + 7 * arm.elements].reshape(len(x), -1, 7)
        r = x[:, qt + 1 : qt + 1 + 8 * arm.elements].reshape(len(x), -1, 8)[:, :, :3]
        total = total + (own[:, :, 3:6] + np.cross(r, own[:, :, :3])).sum(axis=1)
        at, qt = at + 1 + 7 * arm.elements, qt + 1 + 8 * arm.elements
    return total
