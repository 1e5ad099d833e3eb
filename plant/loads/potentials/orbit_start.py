"""Position and velocity at the start of an unperturbed orbit."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...checks import positive, vector
from ...errors import InputError
from .central_bodies import check_gravitational_parameter, require_outside

NEAR, FAR = 1e-30, 1e30  # m
FAST = 1e30  # m/s
WEAK, STRONG = 1e-40, 1e40  # m^3/s^2


def orbit_start(
    name: str, position: ArrayLike, velocity: ArrayLike, mu: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return the checked position (m), velocity (m/s) and gravitational parameter (m^3/s^2) of an orbit.

    name: name of the orbit, for messages. The bounds include all real orbits in any units. Beyond them, mu/r^3 and the
    powers of the speed in Kepler's equation leave the range of double precision. Rectilinear orbits and all speeds
    within the bounds are accepted. Raises InputError if an argument is not numeric or out of bounds, mu has the value
    of a known body in km^3/s^2, or the position is inside a known body.

    Examples
    --------
    >>> orbit_start("orbit", (7e6, 0, 0), (0, 1e100, 0), 4e14)
    Traceback (most recent call last):
    ...
    polhode.plant.errors.InputError: orbit velocity must be at most 1e+30 m/s; got 1e+100 m/s
    """
    r, v = vector(f"{name} position", position, unit="m"), vector(f"{name} velocity", velocity, unit="m/s")
    mu = positive("mu", mu, "m^3/s^2")
    if not r.any():
        raise InputError(f"{name} position must be away from the centre; got (0, 0, 0) m")
    distance, speed = _length(r), _length(v)
    if not NEAR <= distance <= FAR:
        raise InputError(f"{name} position must be {NEAR:g} to {FAR:g} m from the centre; got {distance:g} m")
    if speed > FAST:
        raise InputError(f"{name} velocity must be at most {FAST:g} m/s; got {speed:g} m/s")
    if not WEAK <= mu <= STRONG:
        raise InputError(f"mu must be {WEAK:g} to {STRONG:g} m^3/s^2; got {mu:g} m^3/s^2")
    check_gravitational_parameter(mu)
    require_outside(f"{name} position", distance, mu)
    return r, v, mu


def _length(a: NDArray[np.float64]) -> float:
    """Return the length of a vector whose squares may overflow."""
    largest = float(np.abs(a).max())
    return largest * float(np.linalg.norm(a / largest)) if largest > 0.0 else 0.0
