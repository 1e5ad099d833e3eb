"""The frame of an element that lies along an axis of the hub."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import of_kind, vector
from ..errors import InputError

__all__ = ["axis_frame", "spanning_axes", "unit_axis"]


def unit_axis(name: str, axis: ArrayLike) -> NDArray[np.float64]:
    """Return a direction as a unit vector.

    name: what the axis is called in the message; axis (3,): any length but zero, body components -> (3,). Raises
    InputError when it has no direction.
    """
    given = vector(name, axis)
    length = float(np.linalg.norm(given))
    if length == 0.0:
        raise InputError(f"{name} must have a direction; got (0, 0, 0)")
    return given / length


def axis_frame(axis: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the two unit vectors that make a right-handed frame with an axis.

    axis (3,): a unit vector k -> i and j with i x j = k: body x and y for k = z, y and z for k = x, z and x for k = y,
    and for other axes the frame turned the short way from z.
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
    """Return the axes of wheels as unit vectors that span space.

    axes (m, 3): their axes, body components, of any length but zero -> (m, 3). Raises InputError when an axis is no
    direction, or no combination of the wheels gives a torque in some direction.
    """
    of_kind("axes", axes, Sequence | np.ndarray, such_as="a sequence of directions, one for each wheel")
    units = np.array([unit_axis(f"axis of wheel {number}", axis) for number, axis in enumerate(axes, 1)]).reshape(-1, 3)
    left, sizes, _ = np.linalg.svd(units.T)
    if len(units) < 3 or sizes[-1] < 1e-6:
        idle = left[:, -1].round(4).tolist()
        raise InputError(f"the axes of the wheels must span space; no wheel of these {len(units)} turns about {idle}")
    return units
