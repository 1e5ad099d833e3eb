"""Envelope of attainable torques {tau: G tau <= 1}: largest torque in a direction, and limiting."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.checks import vector
from ....plant.errors import InputError
from ....plant.loads.torque.torque_limits import within

Array = NDArray[np.float64]


def as_torques(torque: ArrayLike) -> Array:
    """Return one torque or several torques as the rows of a matrix.

    torque (3,) or (n, 3): body components, N m -> (n, 3), with n = 1 for one torque. Raises InputError when the shape
    is wrong or a value is not finite.
    """
    rows = np.asarray(torque, dtype=np.float64)
    if rows.ndim == 1:
        rows = vector("torque", rows, unit="N m")[None, :]
    if rows.ndim != 2 or rows.shape[1] != 3 or not np.isfinite(rows).all():
        raise InputError(f"a torque must be 3 finite numbers (N m), or n rows of them; got shape {rows.shape}")
    return rows


def largest_torque(envelope: Array, direction: ArrayLike) -> float:
    """Return the largest torque in a direction.

    envelope (k, 3): G, 1/(N m); direction (3,): vector of any nonzero length -> magnitude, N m. Raises InputError when
    the direction is zero.
    """
    along = vector("direction", direction)
    size = float(np.linalg.norm(along))
    if size == 0.0:
        raise InputError("a direction must not be (0, 0, 0)")
    return size / float((envelope @ along).max())


def shortened(envelope: Array, torque: ArrayLike) -> Array:
    """Return a torque, scaled down to the envelope if it is outside.

    envelope (k, 3): G, 1/(N m); torque (3,) or (n, 3): body components, N m -> torque of the same shape and direction,
    N m.
    """
    rows, forms = as_torques(torque), envelope.ravel()
    share = np.array([within(forms, 0, *row) for row in rows])
    return (share[:, None] * rows).reshape(np.shape(torque))


class TorqueEnvelope:
    """Base class of allocations: largest torque in a direction, and limiting of a torque to the envelope."""

    envelope: Any
    """Matrix G of the attainable torques {tau: G tau <= 1}, shape (k, 3), 1/(N m)."""

    def largest(self, direction: ArrayLike) -> float:
        """Return the largest torque in a direction.

        Parameters
        ----------
        direction : array_like, shape (3,)
            Direction in body components, of any nonzero length.

        Returns
        -------
        float
            Magnitude of the torque, N m.
        """
        return largest_torque(self.envelope, direction)

    def limited(self, torque: ArrayLike) -> Array:
        """Return a torque, scaled down in its direction to the envelope if it is unattainable.

        Parameters
        ----------
        torque : array_like, shape (3,) or (n, 3)
            Torque in body components, N m.

        Returns
        -------
        numpy.ndarray, shape (3,) or (n, 3)
            Attainable torque, N m.
        """
        return shortened(self.envelope, torque)
