"""Gimbal lock of the formulations that use Euler angles."""

import numpy as np
from numpy.typing import NDArray

from ..attitude.sequences import SINGULAR_ANGLE
from ..errors import SingularBasisError
from .angle_kernels import lock_distance
from .formulation import Formulation
from .pieces import BODY

Array = NDArray[np.float64]


def lock_angle(formulation: Formulation, parameters: Array, x: Array) -> float:
    """Return the angle from the middle Euler angle to its nearest singular value, rad.

    Returns infinity if the attitude is not described by Euler angles.
    """
    if not formulation.has_angles:
        return np.inf
    c = float(lock_distance(parameters[BODY.axes], parameters[BODY.axes + 2], x[formulation.middle]))
    return float(np.arcsin(min(abs(c), 1.0)))


def refuse_lock(formulation: Formulation, parameters: Array, x: Array) -> None:
    """Raise SingularBasisError if a state is at gimbal lock."""
    if lock_angle(formulation, parameters, x) > SINGULAR_ANGLE:
        return
    axes = parameters[BODY.axes : BODY.axes + 3].astype(int) + 1
    other = "3-2-1" if axes[0] == axes[2] else "3-1-3"
    raise SingularBasisError(
        f"formulation {formulation.name!r} is at gimbal lock: the first and third axis of "
        f"'{'-'.join(str(axis) for axis in axes)}' coincide at middle angle {x[formulation.middle]:.9g} rad; use "
        f"Euler parameters, or a sequence such as {other!r}"
    )
