"""Small turns in body axes about a spin."""

import numpy as np
from numpy.typing import NDArray

from ..loop.sampled_plant import hold

__all__ = ["cross", "turning"]

Array = NDArray[np.float64]


def turning(spin: Array, duration: float) -> tuple[Array, Array]:
    """What a small turn becomes in a time, and what a deviation of the rate adds (3, 3): a' = -[w] a + deviation."""
    if not spin.any():
        return np.eye(3), duration * np.eye(3)
    return hold(-cross(spin), np.eye(3), duration=duration)


def cross(w: Array) -> Array:
    """[w], the matrix of w x."""
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
