"""Innovation gate of an attitude filter, and wording of error messages about its noise."""

import numpy as np
from numpy.typing import NDArray

RADIANS = "give it in radians and seconds"
"""Likely cause of a noise density that is too large, for error messages."""

OPEN = 1e300
"""A gate that accepts every measurement."""


def gates(gate: float | None) -> NDArray[np.float64]:
    """Return the largest accepted y' S^-1 y (2,), for an attitude and for a direction."""
    if gate is None:
        return np.full(2, OPEN)
    from scipy.stats import chi2

    return np.array([float(chi2.ppf(gate, 3)), float(chi2.ppf(gate, 2))])
