"""Polhodes on the momentum ellipsoid: the second view of a free spacecraft.

Let k be the wheel momentum of a free body. In body axes, the rate omega = J^-1 (h - k) stays on the momentum ellipsoid
|J omega + k| = H. Polhodes are the curves of constant energy on the ellipsoid; for k = 0 they satisfy
omega . J omega = 2 T.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....plant.attitude.free_motion import gyrostat, polhode, polhode_family, principal_axes, separatrix
from .channels import packed
from .rolling_cones import is_free, off_center

if TYPE_CHECKING:
    from ....sim import Run

Array = NDArray[np.float64]

CONSTANT = 1e-3
"""Largest relative change of total and of wheel momentum with which the ellipsoid is drawn."""
SAMPLES = 241
"""Number of points on each curve."""


def polhode_view(run: "Run") -> dict[str, Any] | None:
    """Return a JSON-serialisable table of ellipsoid and curves; None if the momentum is not constant.

    `matrix` is J^-1, row by row, `wheels` is k, `size` is H. `curves` are body rates in rad/s, as float32. If the wheel
    momentum changes, the view is the momentum sphere without curves, and `matrix` divides the momentum by H.
    """
    craft = run.craft
    if run.law is not None or off_center(craft.body) or not is_free(run, within=CONSTANT):
        return None
    momentum = run.values("momentum")
    size = float(np.linalg.norm(momentum, axis=1).mean())
    first, last = (gyrostat(craft, run.x[row]) for row in (0, -1))
    axes = {"size": size, "wheels": [0.0, 0.0, 0.0], "matrix": (np.eye(3) / size).ravel().tolist()}
    if float(np.linalg.norm(first.wheels - last.wheels)) > CONSTANT * size:
        return {**axes, "kind": "sphere", "words": "momentum sphere, body axes: the wheels change theirs", "curves": []}
    inertia, wheels = np.asarray(last.inertia), np.asarray(last.wheels)
    axes |= {"wheels": wheels.tolist(), "matrix": np.linalg.inv(inertia).ravel().tolist()}
    plain = float(np.linalg.norm(wheels)) <= 1e-9 * size
    curves = polhode_curves(inertia, momentum=momentum[0], size=size) if plain else []
    words = (
        "momentum ellipsoid, body axes (rad/s), with polhodes" if curves else "momentum ellipsoid, body axes (rad/s)"
    )
    packed_curves = [{"kind": kind, "points": packed(points)} for kind, points in curves]
    return {**axes, "kind": "ellipsoid", "words": words, "curves": packed_curves}


def polhode_curves(inertia: Array, *, momentum: Array, size: float) -> list[tuple[str, Array]]:
    """Return polhodes of several energies as body rates.

    inertia (3, 3): kg m^2; momentum (3,): initial momentum of the motion, N m s; size: magnitude of the momentum for
    the family of curves, N m s. Returns pairs of kind and points (n, 3), rad/s: "major" and "minor" (the encircled
    axis), "separatrix", and "own" for the closed curve of the motion. The result is empty for a sphere.
    """
    principal = principal_axes(inertia)
    if principal.gaps[2] <= 1e-9:
        return []
    found: list[tuple[str, Array]] = []
    for each in polhode_family(inertia, momentum=size, count=4, samples=SAMPLES):
        found += [(each.regime, curve) for curve in each.rate_curves]
    if min(principal.gaps[:2]) > 1e-9:
        found += [("separatrix", curve) for curve in separatrix(inertia, momentum=size, samples=SAMPLES).rate_curves]
    own = polhode(inertia, momentum=momentum, samples=SAMPLES)
    if own.regime != "steady":
        found.append(("own", own.rate_curves[0]))
    return found
