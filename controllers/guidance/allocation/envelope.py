"""Attainable torques {tau: G tau <= 1}: the largest in a direction, and reduction of a demand to the envelope."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.checks import vector
from ....plant.errors import InputError
from ....plant.loads.torque.torque_limits import within

Array = NDArray[np.float64]


def as_torques(torque: ArrayLike) -> Array:
    """Return one torque or several as rows.

    torque (3,) or (n, 3): body components, N m -> (n, 3): rows; n = 1 for one torque. Raises InputError when the shape
    differs or a number is not finite.
    """
    rows = np.asarray(torque, dtype=np.float64)
    if rows.ndim == 1:
        rows = vector("torque", rows, unit="N m")[None, :]
    if rows.ndim != 2 or rows.shape[1] != 3 or not np.isfinite(rows).all():
        raise InputError(f"a torque must be 3 finite numbers (N m), or n rows of them; got shape {rows.shape}")
    return rows


def largest_torque(envelope: Array, direction: ArrayLike) -> float:
    """Return the largest torque in a direction.

    envelope (k, 3): G, 1/(N m); direction (3,): of any length but zero -> N m. Raises InputError when the direction is
    zero.
    """
    along = vector("direction", direction)
    size = float(np.linalg.norm(along))
    if size == 0.0:
        raise InputError("a direction must not be (0, 0, 0)")
    return size / float((envelope @ along).max())


def shortened(envelope: Array, torque: ArrayLike) -> Array:
    """Return a torque, reduced to the envelope if it exceeds it.

    envelope (k, 3): G, 1/(N m); torque (3,) or (n, 3): body components, N m -> (3,) or (n, 3): same direction, N
    m.
    """
    rows, forms = as_torques(torque), envelope.ravel()
    share = np.array([within(forms, 0, *row) for row in rows])
    return (share[:, None] * rows).reshape(np.shape(torque))


class TorqueEnvelope:
    """Base of allocations: the largest torque in a direction, and reduction of a demand to the envelope."""

    envelope: Any
    """G of the attainable torques {tau: G tau <= 1}, shape (k, 3), 1/(N m)."""

    def largest(self, direction: ArrayLike) -> float:
        """Return the largest torque in a direction.

        Parameters
        ----------
        direction : array_like, shape (3,)
            Body components, of any length but zero.

        Returns
        -------
        float
            N m.
        """
        return largest_torque(self.envelope, direction)

    def limited(self, torque: ArrayLike) -> Array:
        """Return the torque, reduced in its own direction to the attainable one.

        Parameters
        ----------
        torque : array_like, shape (3,) or (n, 3)
            Body components, N m.

        Returns
        -------
        numpy.ndarray, shape (3,) or (n, 3)
            N m.
        """
        return shortened(self.envelope, torque)
