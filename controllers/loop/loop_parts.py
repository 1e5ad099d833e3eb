"""State-space matrices of plant and law for a sampled loop broken at plant inputs and outputs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class LoopParts(NamedTuple):
    """s[k+1] = F s + G w + N v + P d, u = Ks s + Ky v, y = C s; w = u and v = y close the loop.

    w (3) is the torque applied to the plant and u (3) the law's command, in units of the mean inertia. v is the law's
    input and y the measurement: attitude error (rad), rate (rad/s), measured states. d (3) is a constant torque on the
    plant. s contains the plant states, the pending commands, the block states, and the law's states with its stored
    commands.

    Parameters
    ----------
    F, G, N, P : numpy.ndarray
        Matrices of the state equation.
    Ks, Ky : numpy.ndarray
        Output matrices of the law.
    C : numpy.ndarray
        Output matrix of the measurement.
    """

    F: Array
    G: Array
    N: Array
    Ks: Array
    Ky: Array
    C: Array
    P: Array
