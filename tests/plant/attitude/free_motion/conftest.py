"""Reference integration of a free body or a top, independent of the code under test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest


def _integrate(inertia: Any, momentum: Any, attitude: Any, *, times: Any, weight_moment: float = 0.0) -> np.ndarray:
    """Return rows (h, e) at the times, the first of which is the start; DOP853 at 1e-13."""
    from scipy.integrate import solve_ivp

    tensor = np.asarray(inertia, dtype=float)
    inverse = np.linalg.inv(np.diag(tensor) if tensor.ndim == 1 else tensor)

    def rates(_t: float, x: np.ndarray) -> np.ndarray:
        w = inverse @ x[:3]
        e0, e1, e2, e3 = x[3:]
        edot = 0.5 * np.array(
            [
                -e1 * w[0] - e2 * w[1] - e3 * w[2],
                e0 * w[0] - e3 * w[1] + e2 * w[2],
                e3 * w[0] + e0 * w[1] - e1 * w[2],
                -e2 * w[0] + e1 * w[1] + e0 * w[2],
            ]
        )
        up = np.array([2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), e0**2 - e1**2 - e2**2 + e3**2])
        return np.concatenate((np.cross(x[:3], w) - weight_moment * np.cross((0.0, 0.0, 1.0), up), edot))

    computed = solve_ivp(
        rates,
        (times[0], times[-1]),
        np.concatenate((momentum, attitude)),
        method="DOP853",
        rtol=1e-13,
        atol=1e-15,
        t_eval=times,
    )
    return computed.y.T


@pytest.fixture(scope="session")
def integrate() -> Callable[..., np.ndarray]:
    return _integrate
