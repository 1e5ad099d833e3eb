"""Allocation of a body torque to wheels, by least squares or min-max."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.brief import brief
from ....plant.checks import choice, each_positive
from ....plant.elements.axis import spanning_axes
from ....plant.elements.wheel_array import ALLOCATIONS
from ....plant.elements.wheel_sharing import facets, sharing_table
from ....plant.elements.wheel_sharing_kernel import shared_torque
from ....plant.frozen import frozen_arrays
from ...contracts.checks import read_only
from .envelope import TorqueEnvelope, as_torques

Array = NDArray[np.float64]


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class WheelAllocation(TorqueEnvelope):
    """Allocation of a torque to wheels, and the torques attainable with the allocation.

    With A the 3 x m matrix of wheel axes, A u = tau. u_k is the torque of wheel k on the spacecraft along its axis, and
    the motor exerts -u_k on the wheel.

        pseudo-inverse   u = A'(A A')^-1 tau: minimises u'u, linear in tau
        min-max          minimises max |u_k| / limit_k: reaches every torque that the wheels can produce

    `plant.wheel_array(axes, allocation=method)` simulates the same allocation with the same code.
    `TorqueBasis("body", envelope=allocation.envelope, internal=True)` keeps the direction of a command outside the
    envelope.

    Parameters
    ----------
    axes : sequence of array_like, shape (m, 3)
        Wheel axes in body components, of any nonzero length; they must span three dimensions.
    limit : float or array_like, shape (m,)
        Largest torque of each wheel, N m.
    method : str
        "pseudo-inverse" or "min-max" (Markley, Reynolds, Liu & Lebsock 2010).

    Raises
    ------
    InputError
        When the axes do not span three dimensions (the message states a direction in which the wheels produce no
        torque), a limit is not positive, or the method is unknown.

    Examples
    --------
    >>> a = 1 / 3**0.5
    >>> pyramid = [(a, a, a), (-a, a, a), (-a, -a, a), (a, -a, a)]
    >>> for method in ("pseudo-inverse", "min-max"):
    ...     wheels = WheelAllocation(pyramid, limit=0.1, method=method)
    ...     print(wheels.torques((0.1, 0.05, 0.02)).round(4), round(wheels.largest((1, 1, 1)), 4))
    [ 0.0736 -0.013  -0.0563  0.0303] 0.1333
    [ 0.065  -0.0043 -0.065   0.039 ] 0.2
    """

    axes: Array
    limit: Array
    method: str

    __repr__ = brief

    def __init__(self, axes: Sequence[ArrayLike], *, limit: float | ArrayLike, method: str = "pseudo-inverse") -> None:
        units = spanning_axes(axes)
        m = len(units)
        limits = each_positive("wheel limit", limit, m, unit="N m")
        choice("allocation method", method, ALLOCATIONS)
        object.__setattr__(self, "axes", read_only(units))
        object.__setattr__(self, "limit", read_only(limits))
        object.__setattr__(self, "method", method)

    def torques(self, torque: ArrayLike) -> Array:
        """Return the torque of each wheel on the spacecraft, without limits.

        Parameters
        ----------
        torque : array_like, shape (3,) or (n, 3)
            Torque in body components, N m. Outside the envelope at least one wheel exceeds its limit.

        Returns
        -------
        numpy.ndarray, shape (m,) or (n, m)
            Torque of each wheel along its axis, N m.
        """
        rows, m = as_torques(torque), len(self.axes)
        if self.method == "pseudo-inverse":
            shares = rows @ np.linalg.pinv(self.axes.T).T
        else:
            table = sharing_table(self.axes, self.limit)
            shares = np.array([[shared_torque(table, 0, k, *row) for k in range(m)] for row in rows])
        return shares[0] if np.ndim(torque) == 1 else shares

    @property
    def envelope(self) -> Array:
        """Matrix G of the torques {tau: G tau <= 1} for which no wheel exceeds its limit, shape (k, 3), 1/(N m)."""
        if self.method == "pseudo-inverse":
            forms = np.linalg.pinv(self.axes.T) / self.limit[:, None]
        else:
            forms = np.array([form for form, _ in facets(self.axes, self.limit)])
        return read_only(np.vstack((forms, -forms)))
