"""Axes of elements: unit vectors and frames."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import of_kind, unit_axis
from ..errors import InputError


def axis_frame(axis: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the two unit vectors that complete an axis to a right-handed frame.

    axis (3,): a unit vector k -> i and j with i x j = k. If k is body z, i and j are body x and y; if k is x, they are
    y and z; if k is y, they are z and x. For other axes the frame is the body frame after the shortest rotation from z
    to k.
    """
    for n in range(3):
        if axis[n] == 1.0:
            return np.eye(3)[(n + 1) % 3], np.eye(3)[(n + 2) % 3]
    if axis[2] == -1.0:
        return np.array([1.0, 0.0, 0.0]), np.array([0.0, -1.0, 0.0])
    a, b, c = axis
    s = 1.0 / (1.0 + c)
    return np.array([1.0 - a * a * s, -a * b * s, -a]), np.array([-a * b * s, 1.0 - b * b * s, -b])


def spanning_axes(axes: Sequence[ArrayLike]) -> NDArray[np.float64]:
    """Return the axes of wheels as unit vectors; raise InputError unless they span space.

    axes (m, 3): body components, any non-zero length -> (m, 3). Raises InputError if an axis has no direction, or if
    the wheels cannot produce a torque in some direction.
    """
    of_kind("axes", axes, Sequence | np.ndarray, such_as="a sequence of directions, one for each wheel")
    units = np.array([unit_axis(f"axis of wheel {number}", axis) for number, axis in enumerate(axes, 1)]).reshape(-1, 3)
    left, sizes, _ = np.linalg.svd(units.T)
    if len(units) < 3 or sizes[-1] < 1e-6:
        missing = left[:, -1].round(4).tolist()
        raise InputError(
            f"the axes of the wheels must span space; these {len(units)} wheels give no torque along {missing}"
        )
    return units
