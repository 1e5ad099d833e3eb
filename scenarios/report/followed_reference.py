"""Reference attitude of a run, from attitude and error, and the times at which the reference jumps."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...plant.attitude import attitude_error, conjugate, from_rotation_vector, quaternion_product, rotation_angle

if TYPE_CHECKING:
    from ...sim import Run

Array = NDArray[np.float64]

LEAST, FACTOR = 1e-3, 10.0
"""Smallest jump, rad, and its smallest ratio to the motion of the reference in the adjacent row intervals."""


def reference_attitudes(run: "Run") -> Array:
    """Return the Euler parameters of the reference at each row, with the sign closest to the attitude of the run.

    run: run with a reference. Returns (n, 4): e_ref = e o conj(e_err).
    """
    e = run.values("attitude")
    size = np.linalg.norm(e, axis=1, keepdims=True)
    found = quaternion_product(e / size, conjugate(from_rotation_vector(run.values("error_vector"))))
    return np.where((found * e).sum(axis=1, keepdims=True) < 0.0, -found, found)


def reference_jumps(run: "Run") -> tuple[float, ...]:
    """Return the times of the first rows after each jump of the reference, s.

    At a jump the attitude error is discontinuous although the attitude is not, for example when a mode transition
    changes the reference. The result is empty if there is no reference, or if the error is not finite in some row.
    """
    if "error_vector" not in run.names or run.t.size < 3 or not np.isfinite(run.values("error_vector")).all():
        return ()
    reference = reference_attitudes(run)
    steps = rotation_angle(attitude_error(reference[1:], reference[:-1]))
    before = np.append(steps[1], steps[:-1])  # the first and the last step have only one neighbour
    after = np.append(steps[1:], steps[-2])
    jumps = (steps > LEAST) & (steps > FACTOR * np.maximum(before, after))
    return tuple(float(t) for t in run.t[1:][jumps])
