"""The linear model of a flexible satellite at rest, in minimal coordinates, from torque on its hub."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import choice
from ..errors import InputError
from ..layout import StateLayout
from ..linearization import LinearModel
from ..one_thread import one_thread
from ..torque import TorqueBasis
from .appendage import AppendageModes

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["linear_model", "ratios"]

Array = NDArray[np.float64]

_WORDS = {"attitude": "rad", "rate": "rad/s", "momentum": "N m s", "internal": "kg^0.5 m, kg^0.5 m/s"}


def ratios(given: ArrayLike, n: int) -> Array:
    """Return damping ratios, one for each of n modes.

    Parameters
    ----------
    given : float or array_like, shape (n,)
        One for all, or one each.
    n : int
        How many modes.

    Returns
    -------
    numpy.ndarray, shape (n,)
        From 0 to below 1.

    Raises
    ------
    InputError
        When the shape is wrong or a ratio is out of range.
    """
    found = np.asarray(given, dtype=np.float64)
    if found.shape not in ((), (n,)):
        raise InputError(f"damping must be one ratio, or one for each of {n} modes; got shape {found.shape}")
    if not np.isfinite(found).all() or (found < 0.0).any() or (found >= 1.0).any():
        raise InputError(f"damping ratios must be from 0 to below 1 (0.005 is half a per cent); got {found.tolist()}")
    return np.broadcast_to(found, (n,)).copy()


@one_thread
def linear_model(
    modes: AppendageModes,
    *,
    damping: ArrayLike = 0.0,
    outputs: "Sequence[str]" = ("attitude", "rate"),
    torques: TorqueBasis | None = None,
) -> LinearModel:
    """Return the linear model of hub and modes at rest.

    With M the mass matrix of hub rate and modal rates, the mass centre of the whole left free,

        delta' = w,  pi' = tau,  eta' = v,  p' = -w_k^2 eta - 2 zeta_k w_k v,   (w, v) = M^-1 (pi, p)

    Parameters
    ----------
    modes : AppendageModes
        Hub and modes.
    damping : float or array_like, shape (n,)
        Damping ratios of the modes on a hub held fast, beside that of the arms' material.
    outputs : sequence of str
        Among "attitude", "rate", "momentum" and "internal", the modal coordinates and their rates.
    torques : TorqueBasis, optional
        Limits of the torque; the basis is the hub's.

    Returns
    -------
    LinearModel
        States attitude error (3), total angular momentum (3), modal coordinates, modal momenta.

    Raises
    ------
    InputError
        When a damping ratio is out of range, an output is unknown or given twice, or the basis is not the hub's.
    """
    basis = TorqueBasis() if torques is None else torques
    if basis.name != "body":
        raise InputError(f"torque acts on the hub in its own axes; the basis must be body, not {basis.name}")
    if isinstance(outputs, str) or not outputs or len(set(outputs)) != len(outputs):
        raise InputError(f"outputs must be one or more different words, such as ('attitude', 'rate'); got {outputs!r}")
    n = modes.frequencies.size
    friction = 2.0 * (modes.damping_ratios + ratios(damping, n)) * modes.frequencies
    mass_matrix = modes.mass_matrix
    faster: Array = np.asarray(np.linalg.inv(mass_matrix), dtype=np.float64)
    faster = 0.5 * (faster + faster.T)
    size = 6 + 2 * n
    hub, s, p = slice(3, 6), slice(6, 6 + n), slice(6 + n, size)
    velocity = np.zeros((3 + n, size))
    velocity[:, hub], velocity[:, p] = faster[:, :3], faster[:, 3:]
    A = np.zeros((size, size))
    A[:3] = velocity[:3]
    A[s] = velocity[3:]
    A[p] = -friction[:, None] * velocity[3:]
    A[p, s] -= np.diag(modes.frequencies**2)
    B = np.zeros((size, 3))
    B[hub] = np.eye(3)
    layout = StateLayout(
        translation=False,
        coordinates=tuple(f"mode_{k + 1}" for k in range(n)),
        coordinate_units=("kg^0.5 m",) * n,
    )
    rows: list[Array] = []
    names: list[str] = []
    units: list[str] = []
    for word in outputs:
        choice("output", word, _WORDS)
        if word == "attitude":
            rows.append(np.eye(size)[:3])
            names += [f"attitude_error_{axis}" for axis in "xyz"]
        elif word == "rate":
            rows.append(velocity[:3])
            names += [f"rate_{axis}" for axis in "xyz"]
        elif word == "momentum":
            rows.append(np.eye(size)[hub])
            names += [f"momentum_{axis}" for axis in "xyz"]
        else:
            rows.append(np.vstack((np.eye(size)[s], velocity[3:])))
            names += [*layout.coordinates, *(f"{name}_rate" for name in layout.coordinates)]
        units += [_WORDS[word]] * len(rows[-1])
    C = np.vstack(rows)
    return LinearModel(
        A=A,
        B=B,
        C=C,
        D=np.zeros((len(C), 3)),
        states=(*(f"attitude_error_{axis}" for axis in "xyz"), *layout.names[:3], *layout.names[7:]),
        inputs=("torque_1", "torque_2", "torque_3"),
        outputs=tuple(names),
        state_units=("rad",) * 3 + layout.units[:3] + layout.units[7:],
        input_units=("N m",) * 3,
        output_units=tuple(units),
        operating_point=np.concatenate((np.zeros(3), (1.0, 0.0, 0.0, 0.0), np.zeros(2 * n))),
        residual=0.0,
        inertia=modes.inertia.copy(),
        torques=basis,
    )
