"""Log-Cholesky coordinates of an inertia tensor: any coordinate values give a physical inertia.

The second moment of mass, S = tr(J)/2 I - J = integral of x x' dm, is positive definite for every body that is not
flat; this is equivalent to the triangle inequalities of J. With S = L L' and

    L = [[e^z0, 0, 0], [z3, e^z1, 0], [z5, z4, e^z2]] sqrt(s)

the six coordinates z may have any values. They parameterise the rotational part of the pseudo-inertia of Rucker &
Wensing (2022), "Smooth parameterization of rigid-body inertia", IEEE RA-L 7(2). The matrix is relative to sqrt(s), with
s a fixed moment, so that all six coordinates are dimensionless.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.errors import InputError
from ....plant.hub.inertia import inertia_matrix

Array = NDArray[np.float64]

ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
NAMES = ("xx", "yy", "zz", "xy", "xz", "yz")
BELOW = ((1, 0), (2, 1), (2, 0))  # indices of z3, z4, z5 in L
FLAT = 1e-9  # smallest second moment relative to the largest
TINY = 1e-30  # length of the complex step


def log_cholesky(inertia: ArrayLike, *, scale: float) -> Array:
    """Return the log-Cholesky coordinates of an inertia tensor.

    inertia (3,) or (3, 3): kg m^2; scale: moment s, kg m^2 -> (6,). Raises InputError when the tensor is not the
    inertia of a body, or belongs to a flat body, for which a coordinate is infinite.
    """
    J = inertia_matrix(inertia)
    S = 0.5 * float(np.trace(J)) * np.eye(3) - J
    moments = np.linalg.eigvalsh(S)
    if moments[0] <= FLAT * moments[2]:
        raise InputError(
            "the inertia describes a flat body (one principal moment equals the sum of the other two), at the limit "
            "of physical inertias; start the estimate from a body with some thickness"
        )
    L = np.linalg.cholesky(S / scale)
    return np.array([*np.log(np.diag(L)), *(L[place] for place in BELOW)])


def inertia_at(z: Any, *, scale: float) -> Any:
    """Return the inertia tensor (3, 3), kg m^2, at real or complex z (6,); scale: as in `log_cholesky`."""
    z = np.asarray(z)
    L = np.zeros((3, 3), dtype=z.dtype)
    L[np.arange(3), np.arange(3)] = np.exp(z[:3])
    for place, value in zip(BELOW, z[3:], strict=True):
        L[place] = value
    S = scale * (L @ L.T)
    return np.trace(S) * np.eye(3) - S


def entries_of(inertia: Any) -> Any:
    """Return the entries xx, yy, zz, xy, xz, yz of a tensor (..., 3, 3) as (..., 6)."""
    return np.stack([np.asarray(inertia)[..., i, j] for i, j in ENTRIES], axis=-1)


def inertia_jacobian(z: Array, *, scale: float) -> Array:
    """Return d(entries)/dz (6, 6) at coordinates z, exact to round-off by the complex-step method."""
    steps = np.asarray(z) + 1j * TINY * np.eye(6)
    return np.stack([entries_of(inertia_at(each, scale=scale)).imag / TINY for each in steps], axis=-1)
