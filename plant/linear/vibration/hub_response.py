"""Frequency response of the hub rate to a torque on the hub, and the validity range of a reduced model."""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import positive
from ...errors import InputError
from ...one_thread import one_thread
from .appendage_modes import AppendageModes

if TYPE_CHECKING:
    from .reduce import ReducedCraft

Array = NDArray[np.float64]

POINTS = 2000  # points of the grid that locates the first disagreement
NEAR = np.array(
    (-0.03, -0.01, -0.003, -0.001, -0.0003, 0.0, 0.0003, 0.001, 0.003, 0.01, 0.03)
)  # additional points, relative to resonances


def ratios(given: ArrayLike, n: int) -> Array:
    """Return checked damping ratios of n modes.

    given () or (n,): one ratio for all modes, or one per mode; n: number of modes -> (n,), from 0 to below 1. Raises
    InputError if the shape is wrong or a ratio is out of range.
    """
    values = np.asarray(given, dtype=np.float64)
    if values.shape not in ((), (n,)):
        raise InputError(f"damping must be one ratio, or one for each of {n} modes; got shape {values.shape}")
    if not np.isfinite(values).all() or (values < 0.0).any() or (values >= 1.0).any():
        raise InputError(f"damping ratios must be from 0 to below 1 (0.005 is half a per cent); got {values.tolist()}")
    return np.broadcast_to(values, (n,)).copy()


@one_thread
def hub_response(modes: AppendageModes, frequencies: ArrayLike, *, damping: ArrayLike = 0.0) -> NDArray[np.complex128]:
    """Return the response of the hub's rate to torque on the hub of a free satellite.

    Because of the modes, the apparent inertia and mass of the hub depend on frequency,

        M(w) = diag(J, m I) + sum_k P_k P_k' w^2 / (w_k^2 - w^2 + 2 i zeta_k w_k w),   P_k = (delta_k, L_k),

    and without external force the response of the rate is the (rate, rate) block of M(w)^-1 / (i w).

    Parameters
    ----------
    modes : AppendageModes
        Hub and modes; the modes of `appendage_modes` give the response of the whole mesh.
    frequencies : array_like, shape (k,)
        Frequencies, rad/s, above 0.
    damping : float or array_like, shape (n,)
        Damping ratios in addition to material damping.

    Returns
    -------
    numpy.ndarray of complex, shape (k, 3, 3)
        Response, rad/s per N m.

    Raises
    ------
    InputError
        When a frequency is not above 0 or a damping ratio is out of range.

    Examples
    --------
    One mode with half of an inertia of 2 kg m^2: the hub responds with the full inertia far below the mode's frequency,
    and with half of it far above.

    >>> one = AppendageModes(
    ...     frequencies=np.array((1.0,)), damping_ratios=np.zeros(1), rotation=np.array(((0,), (0,), (1.0,))),
    ...     translation=np.zeros((3, 1)), shapes=np.zeros((6, 1)), inertia=2.0 * np.eye(3), mass=1.0,
    ... )
    >>> np.abs(hub_response(one, (1e-3, 1e3))[:, 2, 2] * (1e-3, 1e3)).round(3)
    array([0.5, 1. ])
    """
    w = np.asarray(frequencies, dtype=np.float64)
    if w.ndim != 1 or not np.isfinite(w).all() or not (w > 0.0).all():
        raise InputError("frequencies must be a list of numbers above 0 (rad/s)")
    zeta = modes.damping_ratios + ratios(damping, modes.frequencies.size)
    P = np.vstack((modes.rotation, modes.translation))
    own = modes.frequencies
    gain = w[:, None] ** 2 / (own**2 - w[:, None] ** 2 + 2j * zeta * own * w[:, None])
    whole = np.zeros((6, 6))
    whole[:3, :3], whole[3:, 3:] = modes.inertia, modes.mass * np.eye(3)
    inertia = whole + np.einsum("ik,fk,jk->fij", P, gain, P, optimize=True)
    compliance = np.asarray(np.linalg.inv(inertia), dtype=np.complex128)
    return compliance[:, :3, :3] / (1j * w[:, None, None])


@one_thread
def disagreement(reduced: "ReducedCraft", frequencies: ArrayLike, *, damping: float = 0.005) -> Array:
    """Return the relative difference between the responses with the retained modes and with all modes.

    Rates and torques are scaled such that the rigid satellite has the response 1/(i w) about every axis. The difference
    is relative to the full response, or to the rigid response if that is larger: at the fixed-hub frequency of an arm,
    the full response is almost zero.

    reduced: hub and retained modes.
    frequencies (k,): rad/s, above 0.
    damping: damping ratio of all modes in addition to material damping; undamped resonances are unbounded.
    -> (k,): the largest relative difference over the three torque axes.
    """
    w = np.asarray(frequencies, dtype=np.float64)
    exact = hub_response(reduced.every, w, damping=damping)
    approximate = hub_response(reduced.modes, w, damping=damping)
    values, axes = np.linalg.eigh(reduced.every.inertia)
    root: Array = (axes * np.sqrt(values)) @ axes.T
    scale = w[:, None, None] * root
    gap: Array = np.linalg.norm(scale @ (approximate - exact) @ root, axis=1)
    size: Array = np.linalg.norm(scale @ exact @ root, axis=1)
    return np.asarray((gap / np.maximum(size, 1.0)).max(axis=1), dtype=np.float64)


@one_thread
def valid_up_to(reduced: "ReducedCraft", *, tolerance: float = 0.01, damping: float = 0.005) -> float:
    """Return the frequency up to which the retained modes reproduce the response of the whole mesh.

    reduced: hub and retained modes.
    tolerance: largest accepted `disagreement`.
    damping: damping ratio of all modes in addition to material damping.
    -> frequency, rad/s; infinite if no relevant mode was omitted. Whether the mesh itself is fine enough is a separate
    question.
    """
    allowed = positive("tolerance", tolerance)
    every = reduced.every.frequencies
    grid = np.exp(np.linspace(math.log(1e-3 * every[0]), math.log(2.0 * every[-1]), POINTS))
    steep = np.append(reduced.free_frequencies, reduced.every.free_frequencies)
    grid = np.sort(np.append(grid, steep[:, None] * (1.0 + NEAR)))
    wrong = disagreement(reduced, grid, damping=damping) > allowed
    if not wrong.any():
        return math.inf
    first = int(wrong.argmax())
    if first == 0:
        return float(grid[0])
    low, high = float(grid[first - 1]), float(grid[first])
    while high - low > 1e-6 * high:
        middle = 0.5 * (low + high)
        if disagreement(reduced, (middle,), damping=damping)[0] > allowed:
            high = middle
        else:
            low = middle
    return low
