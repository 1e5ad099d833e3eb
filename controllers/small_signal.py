"""The gain of a nonlinear law about an operating point, exact to round-off."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..plant import LinearModel
from .attitude_model import attitude_model

__all__ = ["small_signal_gain"]

Array = NDArray[np.float64]


def small_signal_gain(kernel: Callable[..., Any], parameters: Array, model: LinearModel) -> Array:
    """Return K of u = -K [delta; pi deviation], by a complex step through the law's own kernel.

    The reference is the model's operating point: its attitude and its rate.

    Parameters
    ----------
    kernel : callable
        A law kernel without memory.
    parameters : numpy.ndarray
        Its numbers.
    model : LinearModel
        The linear model whose operating point is meant.

    Returns
    -------
    numpy.ndarray, shape (3, 6)
        K on attitude error (rad) and momentum (N m s).
    """
    inner = attitude_model(model)
    x0 = np.asarray(inner.operating_point, dtype=np.float64)
    r = np.concatenate((x0[3:7], np.linalg.solve(inner.inertia, x0[:3]), np.zeros(3)))
    e = x0[3:7]
    # e o (1, delta / 2): columns of the matrix that multiplies delta / 2, which is G(e)'
    turn = np.array([[-e[1], -e[2], -e[3]], [e[0], -e[3], e[2]], [e[3], e[0], -e[1]], [-e[2], e[1], e[0]]])
    inverse = np.linalg.inv(inner.inertia)
    step = 1e-30  # its square underflows beside 1: no truncation error
    gain = np.zeros((3, 6))
    for n in range(6):
        x = x0.astype(np.complex128)
        if n < 3:
            x[3:7] += 0.5j * step * turn[:, n]
        else:
            x[n - 3] += 1j * step
        u = np.zeros(3, dtype=np.complex128)
        kernel(0.0, np.concatenate((x[:7], inverse @ x[:3])), r, parameters, np.zeros(0), u)
        gain[:, n] = -u.imag / step
    return gain
