"""The nearest point of a conic, and when it is passed."""

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["pericentre"]


def pericentre(r: NDArray[np.float64], v: NDArray[np.float64], mu: float) -> tuple[float, float]:
    """Return the distance of the pericentre of an orbit, m, and when it is next passed, s (infinite: never).

    By Kepler's equation from the eccentric or hyperbolic anomaly, e cos E = 1 - r/a and e sin E = r.v/sqrt(mu a), in
    units of the distance and of the speed on a circle there: no power of a large or small number is taken. The orbit
    is one that `orbit_start` accepts.
    """
    distance = float(np.linalg.norm(r))
    circular = math.sqrt(mu / distance)
    unit, speed = r / distance, v / circular
    time = distance / circular
    along, across = float(unit @ speed), float(np.linalg.norm(np.cross(unit, speed)))
    binding = 2.0 - (along * along + across * across)  # r/a
    if binding > 0.0:
        e = math.sqrt(max(0.0, 1.0 - across * across * binding))
    else:
        e = math.hypot(1.0, across * math.sqrt(-binding))
    nearest = distance * across * (across / (1.0 + e))
    if abs(binding) < 1e-9:  # a parabola, by Barker's equation
        since = (nearest / distance + along * along / 6.0) * along
        return nearest, math.inf if since > 0.0 else -since * time
    root = math.sqrt(abs(binding))
    sine = along * root
    if binding > 0.0:
        mean = math.atan2(sine, 1.0 - binding) - sine
        return nearest, (-mean % (2.0 * math.pi)) * time / (root * root * root)
    mean = sine - math.copysign(math.acosh(max(1.0, (1.0 - binding) / e)), along)
    return nearest, math.inf if mean > 0.0 else -mean / root / root / root * time
