"""Figures of a rigid body without torques: polhode on the momentum sphere, herpolhode, rolling cones."""

from typing import TYPE_CHECKING

import numpy as np

from ....plant.attitude.free_motion import FreeMotion
from ....plant.errors import InputError
from ..playback.rolling_cones import cone_motion, is_free, off_center

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ....sim import Run

ALIKE = 1e-6
"""Relative difference of the principal moments up to which a body counts as a sphere, whose polhodes are points."""


def free_pictures(run: "Run", *, title: str) -> "dict[str, Figure]":
    """Return the figures "polhode", "herpolhode" and, if axisymmetric, "cones" of a rigid, free body, or none.

    The curves are exact solutions from the initial state. The metrics of the run show whether it agrees with them.
    """
    from .. import draw_cones, draw_herpolhode, draw_polhode_sphere

    craft = run.craft
    if craft.elements or run.law is not None or off_center(craft.body) or not is_free(run):
        return {}
    inertia = np.asarray(craft.body.central_inertia, dtype=np.float64)
    moments = np.linalg.eigvalsh(inertia)
    rate = np.asarray(run.values("rate")[0], dtype=np.float64)
    if moments[2] - moments[0] <= ALIKE * moments[2] or not rate.any():
        return {}
    found: dict[str, Figure] = {}
    try:
        motion = FreeMotion(inertia, rate=rate)
        found["polhode"] = draw_polhode_sphere(inertia, momentum=motion.initial_momentum, title=title)
        found["herpolhode"] = draw_herpolhode(motion, title=title)
    except InputError:  # a spin so close to an axis that its curves are points
        return found
    cones = cone_motion(run)
    if cones is not None:
        found["cones"] = draw_cones(cones[0], title=title)
    return found
