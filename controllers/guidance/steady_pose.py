"""Steady attitude and rate of a reference, about which a linear law is designed."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..contracts.reference import Reference

Array = NDArray[np.float64]


def steady_pose(reference: "Reference") -> tuple[Array, Array]:
    """Return the steady attitude and rate of a reference.

    A reference whose steady motion is not its motion at t = 0 has an attribute `steady`: the end of a slew, the final
    spin of a spin-up. Other references are evaluated at t
    = 0.

    Parameters
    ----------
    reference : Reference
        The reference.

    Returns
    -------
    attitude, rate : numpy.ndarray, shape (4,), (3,)
        Euler parameters, scalar first; rad/s.
    """
    own = getattr(reference, "steady", None)
    if own is not None:
        return own
    r = reference.at(0.0)
    return r[:4], r[4:7]


def follows_orbit(reference: "Reference | None") -> bool:
    """Return whether a reference rotates with an orbit, at a fixed attitude in the orbit frame.

    Parameters
    ----------
    reference : Reference or None
        The reference.

    Returns
    -------
    bool
        The attribute `follows_orbit` of the reference; False if it has no such attribute.
    """
    return bool(getattr(reference, "follows_orbit", False))
