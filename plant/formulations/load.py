"""Load on the body in a formulation: torques in body or inertial axes, and a force at a body point."""

import numpy as np
from numpy.typing import NDArray

from ..quantity import VECTOR, check_fields, declared, quantity
from .pieces import LOAD

Array = NDArray[np.float64]

ZERO = (0.0, 0.0, 0.0)


@declared
class Load:
    """Body torque, inertial torque and force at a body point, each constant in its own axes.

    The force is separate from the torques because the generalised forces (62) and (82) of the Euler-parameter notes
    require the force and its point of application, not its moment.

    Parameters
    ----------
    body_torque : array_like, shape (3,)
        M', body components, N m.
    inertial_torque : array_like, shape (3,)
        M, inertial components, N m.
    force : array_like, shape (3,)
        f, inertial components, N.
    point : array_like, shape (3,)
        u, point of application relative to the mass centre, body components, m.

    Raises
    ------
    InputError
        When a shape is wrong or a component is not a finite number.
    """

    body_torque: Array = quantity("N m", converter=VECTOR, default=ZERO, doc="torque, body axes")
    inertial_torque: Array = quantity("N m", converter=VECTOR, default=ZERO, doc="torque, inertial axes")
    force: Array = quantity("N", converter=VECTOR, default=ZERO, doc="force, inertial axes")
    point: Array = quantity("m", converter=VECTOR, default=ZERO, doc="point of the force, body axes")

    def __post_init__(self) -> None:
        check_fields(self, of="the load")

    def pack(self) -> NDArray[np.float64]:
        """Return the load in the layout of the kernels.

        Returns
        -------
        numpy.ndarray, shape (13,)
            Packed load; see `polhode.plant.formulations.pieces`.
        """
        packed = np.zeros(LOAD.size)
        packed[0:12] = np.concatenate((self.body_torque, self.inertial_torque, self.force, self.point))
        packed[LOAD.inertial] = bool(packed[3:9].any())
        return packed
