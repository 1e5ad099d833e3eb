"""Propagation of small rotations in body axes during a constant spin."""

import numpy as np
from numpy.typing import NDArray

from ...loop.sampled_plant import hold

Array = NDArray[np.float64]


def turning(spin: Array, duration: float) -> tuple[Array, Array]:
    """Return transition and input matrix (3, 3) of a' = -[w] a + rate deviation over a duration, s."""
    if not spin.any():
        return np.eye(3), duration * np.eye(3)
    return hold(-cross(spin), np.eye(3), duration=duration)


def cross(w: Array) -> Array:
    """Return the cross-product matrix [w]."""
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
