"""Pericentre of a conic: distance and time of passage."""

import math

import numpy as np
from numpy.typing import NDArray


def pericentre(r: NDArray[np.float64], v: NDArray[np.float64], mu: float) -> tuple[float, float]:
    """Return the pericentre distance of an orbit, m, and the time of the next passage, s.

    The time is infinite if there is no later passage. Uses Kepler's equation with the eccentric or hyperbolic anomaly,
    e cos E = 1 - r/a and e sin E = r.v/sqrt(mu a). Lengths and speeds are scaled by the initial distance and the
    circular speed, so that no power of a large or small number occurs. `orbit_start` must accept the orbit.
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
