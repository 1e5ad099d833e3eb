"""Quadratic cost of a sampled loop from unit attitude errors."""

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....plant.errors import DesignError
from ...loop.sampled_loop import SampledLoop

Array = NDArray[np.float64]


def quadratic_cost(
    loop: SampledLoop, *, attitude: ArrayLike = 1.0, rate: ArrayLike = 0.0, effort: ArrayLike = 1.0
) -> float:
    """Return the quadratic cost of the responses to initial attitude errors of 1 rad about each axis.

    The cost of one response is the sum over samples of y'Q y + u'R u times the period; the responses about the three
    axes are added.

    Parameters
    ----------
    loop : SampledLoop
        A stable loop that holds an attitude.
    attitude, rate : array_like, shape () or (3,)
        Weights of the measured attitude error (1/rad^2) and rate (s^2/rad^2), per axis.
    effort : array_like, shape () or (3,)
        Weight of the torque, 1/(N m)^2.

    Returns
    -------
    float
        Cost, s.

    Raises
    ------
    DesignError
        When the loop does not hold an attitude or is not stable.
    """
    from scipy import linalg

    if not loop.attitude:
        raise DesignError("the law does not hold an attitude, so an initial attitude error has no finite cost")
    F, G, N, Ks, Ky, C, _ = loop.parts()
    closed = F + N @ C + G @ (Ks + Ky @ C)
    if float(np.abs(np.linalg.eigvals(closed)).max()) >= 1.0:
        raise DesignError("the loop is not stable, so its quadratic cost is infinite")
    Q = np.zeros(len(C))
    Q[:3], Q[3:6] = np.broadcast_to(attitude, 3), np.broadcast_to(rate, 3)
    u = loop.scale * (Ks + Ky @ C)
    weight = C.T @ (Q[:, None] * C) + u.T @ (np.broadcast_to(effort, 3)[:, None] * u)
    P: Array = cast("Any", linalg).solve_discrete_lyapunov(closed.T, weight)
    return loop.sample * float(np.trace(P[:3, :3]))
