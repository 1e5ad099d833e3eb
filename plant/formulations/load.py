"""Load on the body in a formulation: torques in body or inertial axes, and a force at a body point."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import vector
from ..frozen import frozen_arrays
from .pieces import LOAD


@frozen_arrays
@dataclass(frozen=True, eq=False, init=False)
class Load:
    """Body torque, inertial torque and force at a body point, each constant in its own axes.

    The force is separate from the torques because the generalised forces (62) and (82) of the Euler-parameter notes
    require the force and its point of application instead of its moment.

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

    body_torque: NDArray[np.float64]
    inertial_torque: NDArray[np.float64]
    force: NDArray[np.float64]
    point: NDArray[np.float64]

    def __init__(
        self,
        *,
        body_torque: ArrayLike = (0.0, 0.0, 0.0),
        inertial_torque: ArrayLike = (0.0, 0.0, 0.0),
        force: ArrayLike = (0.0, 0.0, 0.0),
        point: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        object.__setattr__(self, "body_torque", vector("body torque", body_torque, unit="N m"))
        object.__setattr__(self, "inertial_torque", vector("inertial torque", inertial_torque, unit="N m"))
        object.__setattr__(self, "force", vector("force", force, unit="N"))
        object.__setattr__(self, "point", vector("point of the force", point, unit="m"))

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
