"""Second variation of the energy at a steady spin, and the linearised motion, at constant momentum.

With omega = mu pi and Omega_n the steady relative rates,

    F = H - mu |pi|^2/2 - sum Omega_n p_n        F' = -(sdot - Omega)' D (sdot - Omega)

F is stationary at a steady spin. If its second variation is positive on the sphere of constant |pi|, the spin is
stable, and damping makes it asymptotically stable. Otherwise damping that the motion excites makes it unstable. If
there are no coordinates, this is the major-axis rule.

The derivatives with respect to pi and p are the derivatives of omega and sdot; d2H/ds2 is -dp'/ds minus the friction
terms. All are exact (complex step). Each coordinate is scaled by the energy of the spin, so that all entries are of
order one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...frozen import frozen_arrays
from .reduced import Reduced, held_wheels

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, kw_only=True)
class Variation:
    """Second-order expansion of a steady spin in pi (2), s (k), p (l), without freely rotating wheels.

    Parameters
    ----------
    a : numpy.ndarray, shape (2 + k + l, 2 + k + l)
        Linear motion, 1/s.
    h : numpy.ndarray, shape (2 + k + l, 2 + k + l)
        Second variation of F divided by |pi||omega|.
    v : numpy.ndarray, shape (l, 2 + k + l)
        Relative rates as linear functions of the deviation, scaled.
    d : numpy.ndarray, shape (l, l)
        Damping matrix D, scaled, 1/s.
    k : int
        Number of coordinates that are not ignorable.
    speed : float
        |omega|, rad/s.
    """

    a: Array
    h: Array
    v: Array
    d: Array
    k: int
    speed: float


def second_variation(system: Reduced, z: Array) -> Variation:
    """Return the second-order expansion of a steady spin.

    system: the spacecraft; z (3 + k + n,): the steady spin -> expansion on the sphere of constant |pi|.
    """
    found, k, n = system.slopes(z), system.k, system.n
    pi, s, p = slice(0, 3), slice(3, 3 + k), slice(3 + k, 3 + k + n)
    omega = found.velocities[:3]
    speed = float(np.linalg.norm(omega))
    h = np.zeros_like(found.a)
    h[pi], h[p] = found.b[:3], found.b[3:]
    h[s, pi], h[s, p] = h[pi, s].T, h[p, s].T
    by_coordinate = np.zeros((n, n))
    by_coordinate[system.kept] = h[s, p]
    friction = np.linalg.solve(h[p, p].T, (found.a[p, p] + by_coordinate).T).T.astype(np.float64)  # dQ/dsdot = -D
    h[s, s] = (friction @ h[p, s] - found.a[p, s])[system.kept]
    size = float(np.linalg.norm(z[:3]))
    h[pi, pi] -= np.eye(3) * float(omega @ z[:3]) / size**2  # mu; negative if omega and pi are antiparallel
    h = 0.5 * (h + h.T)

    masses: Array = 1.0 / np.diag(h[p, p])
    free = np.setdiff1d(np.arange(n), held_wheels(system, found))
    tangent = np.zeros((len(z), 2 + k + len(free)))
    tangent[pi, :2] = _across(z[:3])
    tangent[s, 2 : 2 + k] = np.eye(k)
    tangent[3 + k + free, 2 + k + np.arange(len(free))] = 1.0
    # scale every deviation by the energy of the spin
    spin = size * speed
    length = np.sqrt(spin / (masses * speed * speed))
    units: Array = np.concatenate([[size, size], length[system.kept], (masses * speed * length)[free]])
    to: Array = tangent * units
    back: Array = (tangent / units).T
    relative: Array = np.sqrt(masses[free] / spin)  # scales sdot to the square root of the energy
    return Variation(
        a=back @ found.a @ to,
        h=to.T @ h @ to / spin,
        v=(found.b[3 + free] @ to) * relative[:, None],
        d=-friction[free][:, free] / np.sqrt(np.outer(masses[free], masses[free])),
        k=k,
        speed=speed,
    )


def _across(pi: Array) -> Array:
    """Return two unit vectors normal to pi."""
    unit = pi / np.linalg.norm(pi)
    other = np.eye(3)[int(np.argmin(np.abs(unit)))]
    first = np.cross(unit, other)
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(unit, first)], axis=1).astype(np.float64)
