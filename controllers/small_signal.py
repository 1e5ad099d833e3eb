"""The gain of a nonlinear law about an operating point, exact to round-off."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..plant import LinearModel
from ..plant.one_thread import one_thread
from .acting_model import operating_rate
from .attitude_model import attitude_model

__all__ = ["MEASURED_MOMENTUM", "small_signal_gain", "small_signal_on_measurement"]

Array = NDArray[np.float64]

MEASURED_MOMENTUM = ("momentum_x", "momentum_y", "momentum_z")
STEP = 1e-30  # its square underflows beside 1: no truncation error


@one_thread
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
    turn = _turn(x0[3:7])
    inverse = np.linalg.inv(inner.inertia)
    gain = np.zeros((3, 6))
    for n in range(6):
        x = x0.astype(np.complex128)
        if n < 3:
            x[3:7] += 0.5j * STEP * turn[:, n]
        else:
            x[n - 3] += 1j * STEP
        u = np.zeros(3, dtype=np.complex128)
        kernel(0.0, np.concatenate((x[:7], inverse @ x[:3])), r, parameters, np.zeros(0), u)
        gain[:, n] = -u.imag / STEP
    return gain


@one_thread
def small_signal_on_measurement(kernel: Callable[..., Any], parameters: Array, model: LinearModel) -> Array:
    """Return D of u = D [delta; rate deviation; momentum deviation], by a complex step through the law's own kernel.

    On a craft with elements rate and momentum are independent of each other.

    Parameters
    ----------
    kernel : callable
        A law kernel without memory that sees no internal states.
    parameters : numpy.ndarray
        Its numbers.
    model : LinearModel
        The linear model whose operating point is meant.

    Returns
    -------
    numpy.ndarray, shape (3, 9)
        The gain.
    """
    x0 = np.asarray(model.operating_point, dtype=np.float64)
    rate = operating_rate(model)
    r = np.concatenate((x0[3:7], rate, np.zeros(3)))
    turn = _turn(x0[3:7])
    gain = np.zeros((3, 9))
    for n in range(9):
        y = np.concatenate((x0[:7], rate)).astype(np.complex128)
        if n < 3:
            y[3:7] += 0.5j * STEP * turn[:, n]
        else:
            y[7 + n - 3 if n < 6 else n - 6] += 1j * STEP
        u = np.zeros(3, dtype=np.complex128)
        kernel(0.0, y, r, parameters, np.zeros(0), u)
        gain[:, n] = u.imag / STEP
    return gain


def _turn(e: Array) -> Array:
    """Of e o (1, delta / 2), the matrix that multiplies delta / 2, which is G(e)'."""
    return np.array([[-e[1], -e[2], -e[3]], [e[0], -e[3], e[2]], [e[3], e[0], -e[1]], [-e[2], e[1], e[0]]])
