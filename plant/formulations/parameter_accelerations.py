"""Accelerations common to all formulations: angular acceleration, and second derivative of the Euler parameters."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..attitude import matrix_G
from ..checks import vector
from .load import Load
from .rotation_model import RotationModel

Array = NDArray[np.float64]

COMPLEX_STEP = 1e-30  # the square of the step is negligible


def accelerations(model: RotationModel, x: ArrayLike, *, load: Load | None = None) -> tuple[Array, Array]:
    """Return omega' and e'', which are the same in all formulations.

    omega' is the derivative of the body rate along the motion, by complex step; e'' = 1/2 G' omega' - 1/4 |omega|^2 e.

    Parameters
    ----------
    model : RotationModel
        Formulation and body.
    x : array_like, shape (n,)
        The state.
    load : Load, optional
        Load on the body. Default: none.

    Returns
    -------
    tuple of numpy.ndarray, shapes (3,) and (4,)
        omega', rad/s^2, and e'', 1/s^2.

    Raises
    ------
    SingularBasisError
        At gimbal lock, in Euler angles.

    Examples
    --------
    >>> model = RotationModel("hamilton-7", (3, 2, 1))
    >>> accelerations(model, model.state((1, 0, 0, 0), (1, 1, 0)))[0]  # w3' = (J1 - J2) w1 w2 / J3
    array([0., 0., 1.])
    """
    state = vector("state", x, model.formulation.size)
    moved = state + 1j * COMPLEX_STEP * model.derivative(state, load)
    y: NDArray[np.complex128] = np.zeros(7, dtype=np.complex128)
    model.formulation.leave(moved, model.parameters, y)
    e, omega, alpha = y[0:4].real, y[4:7].real, y[4:7].imag / COMPLEX_STEP
    return alpha, 0.5 * matrix_G(e).T @ alpha - 0.25 * float(omega @ omega) * e
