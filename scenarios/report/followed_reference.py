"""Reference that a run followed, from its attitude and error, and the times at which it jumped."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import attitude_error, conjugate, from_rotation_vector, quaternion_product, rotation_angle

if TYPE_CHECKING:
    from ...sim import Run

Array = NDArray[np.float64]

LEAST, FACTOR = 1e-3, 10.0
"""Smallest jump, rad, and how much larger it is than the motion of the reference in the rows beside it."""


def reference_attitudes(run: "Run") -> Array:
    """Return the Euler parameters of the reference at each row, on the side of those of the run.

    run: with a reference -> (n, 4): e_ref = e o conj(e_err).
    """
    e = run.values("attitude")
    size = np.linalg.norm(e, axis=1, keepdims=True)
    found = quaternion_product(e / size, conjugate(from_rotation_vector(run.values("error_vector"))))
    return np.where((found * e).sum(axis=1, keepdims=True) < 0.0, -found, found)


def reference_jumps(run: "Run") -> tuple[float, ...]:
    """Return the times of the rows at which the reference has jumped since the row before, s.

    There the attitude error jumps although the spacecraft does not, as where a change of mode brings another reference.
    Empty without a reference, and where the error is not finite.
    """
    if "error_vector" not in run.names or run.t.size < 3 or not np.isfinite(run.values("error_vector")).all():
        return ()
    reference = reference_attitudes(run)
    steps = rotation_angle(attitude_error(reference[1:], reference[:-1]))
    before = np.append(steps[1], steps[:-1])  # of the first step only the one after it is known, and of the last
    after = np.append(steps[1:], steps[-2])
    jumps = (steps > LEAST) & (steps > FACTOR * np.maximum(before, after))
    return tuple(float(t) for t in run.t[1:][jumps])
