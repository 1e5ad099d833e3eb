"""What a reference comes to: the attitude and the steady rate that a linear law is designed about."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .reference import Reference

__all__ = ["follows_orbit", "steady_pose"]

Array = NDArray[np.float64]


def steady_pose(reference: "Reference") -> tuple[Array, Array]:
    """Return the attitude and the steady rate that a reference comes to.

    A reference that does not stay as it is at t = 0 says so in an attribute `steady`: of a slew its end, of a spin-up
    its spin, of nadir pointing the attitude at t = 0, its orbit taken as standing still.

    Parameters
    ----------
    reference : Reference
        The reference.

    Returns
    -------
    attitude, rate : numpy.ndarray, shape (4,), (3,)
        Euler parameters, scalar first; rad/s.
    """
    told = getattr(reference, "steady", None)
    if told is not None:
        return told
    r = reference.at(0.0)
    return r[:4], r[4:7]


def follows_orbit(reference: "Reference | None") -> bool:
    """Whether a reference turns with an orbit, so that the attitude it holds rests in the orbit's frame.

    Parameters
    ----------
    reference : Reference or None
        The reference.

    Returns
    -------
    bool
        What it says in an attribute `follows_orbit`; a reference without one does not.
    """
    return bool(getattr(reference, "follows_orbit", False))
