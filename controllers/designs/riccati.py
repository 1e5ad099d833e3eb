"""Gains from Riccati equations, and error messages if no gain exists.

The solvers are scipy's, called in the same way as by `control.dlqr`, `control.lqr` and `control.dlqe` of
python-control with method="scipy". The results are bitwise identical (a test compares them). python-control itself is
not used because `import control` takes a second: it imports matplotlib's pyplot and scipy.signal, which neither a
design nor a run needs.
"""

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...plant.checks import weight
from ...plant.errors import DesignError
from ...plant.one_thread import one_thread
from ..loop.solution_cache import cached_solution

Array = NDArray[np.float64]


def definite(name: str, value: ArrayLike) -> Array:
    """Check and return a 3 x 3 weight that must be positive definite.

    name: name of the weight in messages; value (), (3,) or (3, 3): the weight -> weight matrix (3, 3). Raises
    DesignError when the weight is singular.
    """
    matrix = weight(name, value, 3)
    values = np.linalg.eigvalsh(matrix)
    if float(values.min()) <= 1e-14 * float(values.max()):
        raise DesignError(
            f"{name} must be positive definite; its smallest eigenvalue is {float(values.min()):g}. "
            "Give every axis a weight above 0"
        )
    return matrix


@cached_solution
def discrete_solution(
    F: Array, G: Array, Q: Array, *, R: Array, cross: Array | None = None
) -> tuple[Array, Array, NDArray[np.complex128]]:
    """Solve the discrete Riccati equation for its stabilising solution X; also return gain and poles.

    The equation is X = F'XF - (F'XG + S) (G'XG + R)^-1 (G'XF + S') + Q.

    F (n, n), G (n, m), Q (n, n), R (m, m): the problem; cross: S (n, m), zero by default -> X (n, n), the gain
    K = (G'XG + R)^-1 (G'XF + S') (m, n), and the poles of F - G K (n,). Raises LinAlgError or ValueError when there is
    no stabilising solution.
    """
    from scipy import linalg

    tool = cast("Any", linalg)
    with one_thread, np.errstate(all="ignore"):  # the caller rejects weights outside the range of floating point
        X: Array = tool.solve_discrete_are(F, G, Q, R, s=cross)
        right = G.T @ X @ F
        K: Array = tool.solve(G.T @ X @ G + R, right if cross is None else right + cross.T)
        return X, K, tool.eigvals(F - G @ K)


def filter_gain(A: Array, C: Array, Q: Array, *, R: Array) -> tuple[Array, Array]:
    """Return the stationary Kalman gain P C' (C P C' + R)^-1, and the covariance P before the measurement.

    A, Q (n, n): transition matrix over a sample and process noise covariance; C (p, n), R (p, p): output matrix and
    measurement noise covariance. Raises LinAlgError or ValueError when there is no solution.
    """
    P, _, poles = discrete_solution(A.T, C.T, Q, R=R)
    if not float(np.abs(poles).max()) < 1.0:
        raise DesignError("a pole does not decay")
    return np.asarray(np.linalg.solve(C @ P @ C.T + R, C @ P).T, dtype=np.float64), P


def discrete_regulator(F: Array, G: Array, Q: Array, *, R: Array, sample: float) -> Array:
    """Return the gain K (m, n) of u = -K x that minimises the sum of x'Qx + u'Ru.

    F, G: plant x[k+1] = F x + G u; Q, R: weights; sample: sampling period (s), for messages. Raises DesignError when
    the Riccati equation has no stabilising solution.
    """
    size = float(np.abs(R).max())  # scaling the cost leaves the gain unchanged and keeps the weights near 1
    weights = 0.5 * (Q + Q.T) / size  # the solver rejects a Q that is asymmetric due to rounding
    try:
        _, K, poles = discrete_solution(F, G, weights, R=R / size, cross=np.zeros_like(G))
    except (np.linalg.LinAlgError, ValueError) as error:
        raise DesignError(
            f"the Riccati equation of the regulator has no stabilising solution at sample {sample:g} s "
            f"({error}); make the weights less extreme, or the sampling period shorter"
        ) from error
    radius = float(np.abs(poles).max())
    if not radius < 1.0:
        raise DesignError(
            f"the regulator does not stabilise the loop: pole modulus {radius:.9g} at sample {sample:g} s; "
            "make the weights less extreme, or the sampling period longer if it is many orders of magnitude below "
            "the time scale of the plant"
        )
    return K


def regulator(A: Array, B: Array, Q: Array, *, R: Array) -> Array:
    """Return the gain K (m, n) of u = -K x that minimises the integral of x'Qx + u'Ru.

    A, B: plant x' = A x + B u; Q, R: weights. Raises DesignError when the Riccati equation has no stabilising solution.
    """
    from scipy import linalg

    size = float(np.abs(R).max())
    weights, effort = 0.5 * (Q + Q.T) / size, R / size
    try:
        with one_thread, np.errstate(all="ignore"):
            X: Array = cast("Any", linalg).solve_continuous_are(A, B, weights, effort)
            K = np.linalg.solve(effort, B.T @ X)
            poles = np.linalg.eigvals(A - B @ K)
    except (np.linalg.LinAlgError, ValueError) as error:
        raise DesignError(
            f"the Riccati equation of the continuous regulator has no stabilising solution ({error}); make the "
            "weights less extreme"
        ) from error
    if not float(poles.real.max()) < 0.0:
        raise DesignError("the continuous regulator does not stabilise the plant; make the weights less extreme")
    return np.asarray(K, dtype=np.float64)
