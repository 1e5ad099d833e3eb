"""Uniform box with a given inertia, drawn for a rigid body of unknown shape."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DENSITY = 150.0
"""Assumed density of a spacecraft of unknown mass, kg/m^3: between 60 (large satellites) and 1,000 (small ones)."""


def uniform_box(inertia: Array, *, mass: float) -> tuple[Array, Array]:
    """Return the edge lengths and axes of the uniform box with a given inertia and mass.

    inertia (3, 3): about the mass centre, kg m^2; mass: kg -> (3,): edge lengths, m, from a^2 = 6 (J_b + J_c -
    J_a)/mass;
    and (3, 3): edge directions as columns, right-handed, as close to the coordinate axes as possible. An edge of a
    flat or thin body is at least 2 % of the longest.
    """
    moments, axes = np.linalg.eigh(inertia)
    axes = _nearest_order(axes)
    moments = np.diag(axes.T @ inertia @ axes)
    squares = 6.0 * (moments.sum() - 2.0 * moments) / mass
    edges = np.sqrt(np.maximum(squares, 0.0))
    return np.maximum(edges, 0.02 * float(edges.max())), axes


def mass_at_density(inertia: Array, density: float = DENSITY) -> float:
    """Return the mass of the uniform box with a given inertia and density, kg.

    With edges a = sqrt(k_a/m), the volume is sqrt(k_a k_b k_c)/m^(3/2) = m/density.
    """
    moments = np.linalg.eigvalsh(inertia)
    squares = np.maximum(6.0 * (moments.sum() - 2.0 * moments), 1e-4 * float(moments.max()))
    return float((density * np.sqrt(squares.prod())) ** 0.4)


def _nearest_order(axes: Array) -> Array:
    """Return the columns in the order and with the signs closest to the coordinate axes, right-handed."""
    left = list(range(3))
    chosen: list[Array] = []
    for n in range(3):
        best = max(left, key=lambda column: abs(float(axes[n, column])))
        left.remove(best)
        chosen.append(axes[:, best] * (1.0 if axes[n, best] >= 0.0 else -1.0))
    found = np.column_stack(chosen)
    if np.linalg.det(found) < 0.0:
        found[:, 2] = -found[:, 2]
    return found
