"""Where the response of an opened loop crosses something, on a grid and then refined."""

from collections.abc import Callable
from math import pi
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from .broken_loop import BrokenLoop
from .sampled_loop import SampledLoop

__all__ = ["crossings", "frequency_grid", "loci"]

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


def frequency_grid(loop: SampledLoop, broken: BrokenLoop) -> Array:
    """Return frequencies on which nothing of a loop's response falls between two points.

    loop: the whole loop; broken: the same, opened -> (m,): angles (frequency times sampling period, rad) from far below
    the slowest closed-loop pole to pi, denser around every pole near the unit circle.
    """
    lowest = min(max(1e-3 * loop.slowest(), 1e-9), 1e-2)
    parts = [np.geomspace(lowest, pi, 600), np.linspace(lowest, pi, 200)]
    for pole in np.concatenate((np.linalg.eigvals(broken.F), loop.poles())):
        if abs(pole) > 0.5 and abs(np.angle(pole)) > lowest:
            width = np.geomspace(1e-4, 1.0, 12) * max(1.0 - abs(pole), 1e-6)
            parts += [abs(np.angle(pole)) + width, abs(np.angle(pole)) - width]
    angles = np.unique(np.concatenate(parts))
    return angles[(angles >= lowest) & (angles <= pi)]


def crossings(
    function: Callable[[Complex], Array], broken: BrokenLoop, angles: Array, response: Complex
) -> list[float]:
    """Return where a real function of the loop transfer matrix changes sign.

    function: from loop transfer matrices (m, p, p) to numbers (m,); broken: the opened loop; angles (m,): a grid of
    frequencies, rad per sample; response (m, p, p): the loop transfer matrices on it -> angles, refined to round-off.
    """
    from scipy import optimize

    def at(angle: float) -> float:
        return float(function(broken.response([angle]))[0])

    values = np.sign(function(response))
    # 1e-14: an angle lies between 1e-9 and pi, so this is a part in 1e5 at the very least
    return [
        float(cast("Any", optimize).brentq(at, angles[n], angles[n + 1], xtol=1e-14, rtol=1e-13))
        for n in np.flatnonzero(values[:-1] * values[1:] < 0.0)
    ]


def loci(L: Complex) -> Complex:
    """Return the eigenvalues of loop transfer matrices.

    L (..., p, p): loop transfer matrices -> (..., p): complex numbers; a loop is at the edge of stability where one of
    them is -1.
    """
    return np.asarray(np.linalg.eigvals(L), dtype=np.complex128)
