"""A sampled loop taken apart: plant and law side by side, cut at plant inputs and at plant outputs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["LoopParts"]

Array = NDArray[np.float64]


class LoopParts(NamedTuple):
    """s[k+1] = F s + G w + N v + P d, u = Ks s + Ky v, y = C s; the loop is whole when w = u and v = y.

    w (3) is what goes out to the plant and u (3) what the law commands, in units of the mean inertia; v is what the law
    sees and y what it is shown: attitude error (rad), rate (rad/s), measured states; d (3) a constant torque on the
    plant. s holds the states of the plant, the commands under way, what blocks keep, and the states of the law, what it
    remembers of its commands among them.

    Parameters
    ----------
    F, G, N, P : numpy.ndarray
        How the states go on.
    Ks, Ky : numpy.ndarray
        What the law commands.
    C : numpy.ndarray
        What is measured.
    """

    F: Array
    G: Array
    N: Array
    Ks: Array
    Ky: Array
    C: Array
    P: Array
