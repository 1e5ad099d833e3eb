"""The nearest point of a conic, and when it is passed."""

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["pericentre"]


def pericentre(r: NDArray[np.float64], v: NDArray[np.float64], mu: float) -> tuple[float, float]:
    """Return the distance of the pericentre of an orbit, m, and when it is next passed, s (infinite: never).

    By Kepler's equation from the eccentric or hyperbolic anomaly, e cos E = 1 - r/a and e sin E = r.v/sqrt(mu a).
    """
    distance, along = float(np.linalg.norm(r)), float(r @ v)
    h2 = float(np.sum(np.cross(r, v) ** 2))
    binding = 2.0 / distance - float(v @ v) / mu  # 1/a
    e = math.sqrt(max(0.0, 1.0 - h2 / mu * binding))
    nearest = h2 / mu / (1.0 + e)
    if abs(binding) * distance < 1e-9:  # a parabola, by Barker's equation
        d = along / math.sqrt(mu)
        since = (nearest * d + d**3 / 6.0) / math.sqrt(mu)
        return nearest, math.inf if since > 0.0 else -since
    a = 1.0 / binding
    n = math.sqrt(mu / abs(a) ** 3)
    if a > 0.0:
        sine = along / math.sqrt(mu * a)
        mean = math.atan2(sine, 1.0 - distance / a) - sine
        return nearest, (-mean % (2.0 * math.pi)) / n
    sine = along / math.sqrt(-mu * a)
    mean = sine - math.copysign(math.acosh(max(1.0, (1.0 - distance / a) / e)), along)
    return nearest, math.inf if mean > 0.0 else -mean / n
