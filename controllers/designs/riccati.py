"""Gains from Riccati equations, by python-control, with a clear word when there are none."""

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import weight
from ...plant.errors import DesignError
from ...plant.one_thread import one_thread

__all__ = ["definite", "discrete_regulator", "regulator"]

Array = NDArray[np.float64]


def definite(name: str, value: ArrayLike) -> Array:
    """Return a 3 x 3 weight that must be positive definite.

    name: what it is called in the message; value (), (3,) or (3, 3): the weight -> (3, 3), the matrix. Raises
    DesignError when it is singular.
    """
    matrix = weight(name, value, 3)
    values = np.linalg.eigvalsh(matrix)
    if float(values.min()) <= 1e-14 * float(values.max()):
        raise DesignError(
            f"{name} must be positive definite; its smallest eigenvalue is {float(values.min()):g}. "
            "Give every axis a weight above 0"
        )
    return matrix


def discrete_regulator(F: Array, G: Array, Q: Array, *, R: Array, sample: float) -> Array:
    """Return K of u = -K x that minimises the sum of x'Qx + u'Ru.

    F, G: x[k+1] = F x + G u; Q, R: weights; sample: sampling period (s), for messages -> (m, n), the gain. Raises
    DesignError when the Riccati equation has no stabilising solution.
    """
    import control

    size = float(np.abs(R).max())  # the cost may be multiplied by anything; this keeps its numbers near 1
    weights = 0.5 * (Q + Q.T) / size  # python-control refuses a product that is symmetric but for rounding
    try:
        with one_thread, np.errstate(all="ignore"):  # weights beyond the arithmetic are refused in words below
            K, _, poles = cast("Any", control).dlqr(F, G, weights, R / size, method="scipy")
    except (np.linalg.LinAlgError, ValueError, control.ControlArgument) as error:
        raise DesignError(
            f"the Riccati equation of the regulator has no stabilising solution at sample {sample:g} s "
            f"({error}); make weights less extreme, or the sampling period shorter"
        ) from error
    radius = float(np.abs(poles).max())
    if not radius < 1.0:
        raise DesignError(
            f"the regulator does not stabilise the loop: pole modulus {radius:.9g} at sample {sample:g} s; "
            "make the weights less extreme, or the sampling period longer if it is many orders below the "
            "time scale"
        )
    return np.asarray(K, dtype=np.float64)


def regulator(A: Array, B: Array, Q: Array, *, R: Array) -> Array:
    """Return K of u = -K x that minimises the integral of x'Qx + u'Ru.

    A, B: x' = A x + B u; Q, R: weights -> (m, n), the gain. Raises DesignError when the Riccati equation has no
    stabilising solution.
    """
    import control

    size = float(np.abs(R).max())
    weights = 0.5 * (Q + Q.T) / size
    try:
        with one_thread, np.errstate(all="ignore"):
            K, _, poles = cast("Any", control).lqr(A, B, weights, R / size, method="scipy")
    except (np.linalg.LinAlgError, ValueError, control.ControlArgument) as error:
        raise DesignError(
            f"the Riccati equation of the continuous regulator has no stabilising solution ({error}); make the "
            "weights less extreme"
        ) from error
    if not max(complex(pole).real for pole in poles) < 0.0:
        raise DesignError("the continuous regulator does not stabilise the plant; make the weights less extreme")
    return np.asarray(K, dtype=np.float64)
