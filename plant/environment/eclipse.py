# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Eclipse by the Earth: visible fraction of the Sun's disc, and the times of contact with the shadow.

The fraction depends on the apparent radii a of the Sun and b of the Earth, and on their separation c, as seen from the
spacecraft (Montenbruck & Gill 2000, section 3.4.2). The Earth is a sphere of equatorial radius: the ellipsoid would
shift the contacts by seconds in a low orbit. The fraction has a square-root corner at each contact; integration steps
end there.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..kernels.kernel import kernel
from .constants import EARTH_RADIUS, SUN_RADIUS

Array = NDArray[np.float64]


@dataclass(frozen=True, order=True, kw_only=True)
class Contact:
    """Time at which the spacecraft enters or leaves a shadow.

    Attributes
    ----------
    t : float
        Time of the contact, s.
    shadow : str
        "penumbra" or "umbra".
    enters : bool
        Whether the spacecraft enters the shadow; otherwise it leaves the shadow.
    """

    t: float
    shadow: str
    enters: bool


@kernel
def sunlit(r0, r1, r2, d0, d1, d2):
    """Return the visible fraction of the Sun's disc at r, from the centre of the Earth, m.

    d: vector from the spacecraft to the Sun, m.
    """
    along = -(r0 * d0 + r1 * d1 + r2 * d2)
    if along <= 0.0:  # the Sun is above the local horizontal
        return 1.0
    r = math.sqrt(r0 * r0 + r1 * r1 + r2 * r2)
    d = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
    n0, n1, n2 = r1 * d2 - r2 * d1, r2 * d0 - r0 * d2, r0 * d1 - r1 * d0
    across = math.sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    sin_a, sin_b, sin_c = SUN_RADIUS / d, min(EARTH_RADIUS / r, 1.0), across / (r * d)
    if sin_c >= sin_b + sin_a:  # i.e. c > a + b: no angles are needed for most of the orbit
        return 1.0
    if sin_c <= sin_b - sin_a:  # i.e. c < b - a
        return 0.0
    c = math.atan2(across, along)
    a, b = math.asin(sin_a), math.asin(sin_b)
    if c >= a + b:
        return 1.0
    if c <= b - a:
        return 0.0
    if c <= a - b:
        return 1.0 - b * b / (a * a)
    x = (c * c + a * a - b * b) / (2.0 * c)
    y = math.sqrt(max(a * a - x * x, 0.0))
    lens = a * a * math.atan2(y, x) + b * b * math.atan2(y, c - x) - c * y
    return 1.0 - lens / (math.pi * a * a)


def sunlit_fraction(position: ArrayLike, sun: ArrayLike) -> Array:
    """Return the visible fraction of the Sun's disc.

    Parameters
    ----------
    position : array_like, shape (..., 3)
        Position of the spacecraft from the centre of the Earth, m.
    sun : array_like, shape (..., 3)
        Position of the Sun from the centre of the Earth, m.

    Returns
    -------
    numpy.ndarray, shape (...)
        Visible fraction: 0 in the umbra, 1 outside the penumbra.
    """
    r, s = np.broadcast_arrays(np.asarray(position, dtype=np.float64), np.asarray(sun, dtype=np.float64))
    rows = np.concatenate([r, s - r], axis=-1).reshape(-1, 6)
    return np.array([sunlit(*row) for row in rows.tolist()], dtype=np.float64).reshape(r.shape[:-1])


def eclipse_contacts(
    places: Callable[[Any], tuple[Array, Array]], *, start: float, stop: float, step: float = 30.0
) -> tuple[Contact, ...]:
    """Return all contacts with penumbra and umbra, in chronological order.

    The separation c is compared with a + b and b - a on a grid. The extremes of the differences between grid points are
    added to the grid, so that a grazing eclipse is not missed. Each sign change is refined by Brent's method.

    Parameters
    ----------
    places : callable
        places(t) returns the positions of spacecraft and Sun from the centre of the Earth, m, each with shape (...,
        3).
    start, stop : float
        Interval, s.
    step : float
        Step of the grid, s.

    Returns
    -------
    tuple of Contact
        Contacts, with times accurate to 1e-9 s.
    """
    from scipy import optimize

    solve: Any = optimize.brentq
    minimize: Any = optimize.minimize_scalar

    def depths(t: Any) -> Array:
        r, s = places(t)
        d = s - r
        distance, height = np.linalg.norm(d, axis=-1), np.linalg.norm(r, axis=-1)
        a, b = np.arcsin(SUN_RADIUS / distance), np.arcsin(np.minimum(EARTH_RADIUS / height, 1.0))
        c = np.arctan2(np.linalg.norm(np.cross(r, d), axis=-1), -np.sum(r * d, axis=-1))
        return np.stack([a + b - c, b - a - c], axis=-1)  # positive in the shadow

    grid = np.linspace(start, stop, max(2, int(np.ceil((stop - start) / step)) + 1))
    values = depths(grid)
    found: list[Contact] = []
    for column, shadow in enumerate(("penumbra", "umbra")):
        depth, times = values[:, column], grid
        peaks = np.flatnonzero((depth[1:-1] >= depth[:-2]) & (depth[1:-1] > depth[2:]) & (depth[1:-1] <= 0.0)) + 1
        for row in peaks.tolist():
            bounds = (grid[row - 1], grid[row + 1])
            peak = minimize(lambda t, k=column: -float(depths(t)[k]), bounds=bounds, method="bounded")
            times = np.append(times, peak.x)
        times = np.unique(times)
        inside = depths(times)[:, column] > 0.0
        for row in np.flatnonzero(inside[1:] != inside[:-1]).tolist():
            t = solve(lambda t, k=column: float(depths(t)[k]), times[row], times[row + 1], xtol=1e-10, rtol=1e-15)
            found.append(Contact(t=float(t), shadow=shadow, enters=bool(inside[row + 1])))
    return tuple(sorted(found))
