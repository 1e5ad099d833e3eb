"""The parts of a sampled loop: plant and law, opened at plant inputs and outputs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class LoopParts(NamedTuple):
    """s[k+1] = F s + G w + N v + P d, u = Ks s + Ky v, y = C s; the loop is closed by w = u and v = y.

    w (3) is applied to the plant and u (3) commanded by the law, in units of the mean inertia. v is read by the law and
    y is its measurement: attitude error (rad), rate (rad/s), measured states. d (3) is a constant torque on the plant.
    s contains the states of the plant, the commands under way, block states, and the states of the law with its stored
    commands.

    Parameters
    ----------
    F, G, N, P : numpy.ndarray
        State equation.
    Ks, Ky : numpy.ndarray
        Law.
    C : numpy.ndarray
        Measurement.
    """

    F: Array
    G: Array
    N: Array
    Ks: Array
    Ky: Array
    C: Array
    P: Array
