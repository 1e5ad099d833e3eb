"""Generalised forces conjugate to the Euler parameters."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..attitude import matrix_E, matrix_G
from ..checks import choice, unit_quaternion, vector


def torque_parameters(e: ArrayLike, torque: ArrayLike, *, frame: str = "body") -> NDArray[np.float64]:
    """Return the generalised forces conjugate to the Euler parameters.

    They are 2 Q (0, M') = 2 G'M' for a body torque, and 2 Qbar (0, M) = 2 E'M for an inertial torque.

    Parameters
    ----------
    e : array_like, shape (4,)
        Unit Euler parameters, scalar first.
    torque : array_like, shape (3,)
        Components in `frame`, N m.
    frame : str
        "body" or "inertial".

    Returns
    -------
    numpy.ndarray, shape (4,)
        Generalised forces, N m, perpendicular to e; their scalar product with e' is the power.

    Raises
    ------
    InputError
        When a shape is wrong, a value is not finite, |e| is not 1 or the frame is unknown.

    Notes
    -----
    Schwab & Meijaard (2006) (44).

    Examples
    --------
    >>> torque_parameters((1, 0, 0, 0), (0, 0, 3))
    array([0., 0., 0., 6.])
    """
    unit, M = unit_quaternion("e", e), vector("torque", torque, unit="N m")
    matrix = matrix_G(unit) if choice("frame", frame, ("body", "inertial")) == "body" else matrix_E(unit)
    return 2.0 * matrix.T @ M + 0.0
