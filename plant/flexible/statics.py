"""Static shapes of arms on a held hub, of any size."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..attitude import from_rotation_vector, quaternion_product
from ..checks import vector
from ..errors import EquilibriumError, InputError
from ..one_thread import one_thread
from .matrices import matrices

if TYPE_CHECKING:
    from .satellite import FlexibleSatellite

__all__ = ["static_shape"]

Array = NDArray[np.float64]


@one_thread
def static_shape(
    satellite: "FlexibleSatellite",
    *,
    arm: int = 0,
    force: ArrayLike = (0.0, 0.0, 0.0),
    moment: ArrayLike = (0.0, 0.0, 0.0),
    increments: int = 1,
    tolerance: float = 1e-12,
) -> Array:
    """Return the positions of the satellite with its hub held and a dead load at the tip of one arm.

    Newton's method with the exact tangent; the load is brought on in equal increments, of which a large deflection
    needs several.

    Parameters
    ----------
    satellite : FlexibleSatellite
        Hub and arms; the hub stands at the identity attitude.
    arm : int
        Which arm, from 0.
    force : array_like, shape (3,)
        Hub axes, N; it keeps its direction.
    moment : array_like, shape (3,)
        Hub axes, N m; it keeps its direction.
    increments : int
        Steps of the load.
    tolerance : float
        The last correction, in shares of the arm's length.

    Returns
    -------
    numpy.ndarray, shape (positions,)
        q, the mass centre of the undeformed satellite at the origin.

    Raises
    ------
    InputError
        When there is no such arm.
    EquilibriumError
        When the iteration finds no shape.
    """
    if not 0 <= arm < len(satellite.arms):
        raise InputError(f"arm must be 0 to {len(satellite.arms) - 1}; got {arm}")
    load = np.concatenate((vector("force", force, unit="N"), vector("moment", moment, unit="N m")))
    tip = 6 + sum(1 + 7 * a.elements for a in satellite.arms[: arm + 1]) - 7
    q = satellite.straight()
    still = np.zeros(satellite.degrees)
    for step in range(1, increments + 1):
        for _ in range(60):
            residual = satellite.sweep(q, still)[1]
            residual[tip : tip + 6] += load * step / increments
            K = matrices(satellite, q).K[6:, 6:]
            change: Array = np.asarray(np.linalg.solve(K, residual[6:]), dtype=np.float64)
            size = float(np.abs(change).max())
            if not np.isfinite(size):
                break
            change *= min(1.0, 0.5 / size) if size > 0.0 else 1.0
            q = _moved(satellite, q, change)
            if size <= tolerance * max(a.length for a in satellite.arms):
                break
        else:
            size = np.inf
        if not np.isfinite(size):
            raise EquilibriumError(
                f"no static shape found at {step} of {increments} increments of the load; take more increments"
            )
    return q


def _moved(satellite: "FlexibleSatellite", q: Array, change: Array) -> Array:
    """Positions after small places, turns and strains of everything but the hub."""
    q = q.copy()
    at, vt = 7, 0
    for arm in satellite.arms:
        q[at] += change[vt]
        at, vt = at + 1, vt + 1
        for _ in range(arm.elements):
            q[at : at + 3] += change[vt : vt + 3]
            e = quaternion_product(from_rotation_vector(change[vt + 3 : vt + 6]), q[at + 3 : at + 7])
            q[at + 3 : at + 7] = e / np.sqrt(e @ e)
            q[at + 7] += change[vt + 6]
            at, vt = at + 8, vt + 7
    return q
