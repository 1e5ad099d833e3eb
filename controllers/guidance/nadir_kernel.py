# pyright: basic
# (kernels: compiled code is typed by the compiler, not by annotations)
"""Kernel of the reference that rotates with the orbit."""

from typing import Any

import numpy as np

from ...plant.kernels.fields import fields
from ...plant.kernels.kernel import kernel
from .kepler_equation import eccentric_anomaly
from .turn_kernels import write_turn

NADIR = fields(start=4, axis=3, anomaly=1, motion=1, eccentricity=1)
"""Layout of q: attitude at periapsis, orbit normal in body axes, mean anomaly at t = 0, mean motion, eccentricity."""


@kernel
def nadir_kernel(t: Any, q: Any, r: Any) -> None:
    """Write the nadir pointing reference at t into r; q as in NADIR."""
    n, e = q[NADIR.motion], q[NADIR.eccentricity]
    anomaly, parity = eccentric_anomaly(q[NADIR.anomaly] + n * t, e)
    w = 1.0 - e * np.cos(anomaly)  # distance divided by the semi-major axis
    c = parity * np.sqrt((1.0 - e) / w) * np.cos(0.5 * anomaly)  # cosine of half the true anomaly
    s = parity * np.sqrt((1.0 + e) / w) * np.sin(0.5 * anomaly)
    rate = n * np.sqrt(1.0 - e * e) / (w * w)
    write_turn(q, r, c, s, rate, -2.0 * rate * n * e * np.sin(anomaly) / (w * w))
