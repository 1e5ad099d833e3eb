"""Fastest rate (eigenvalue) of a plant at a state, and the dominant state variable."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft, TorquePulse
from .slope import slope

Array = NDArray[np.float64]

LARGEST = 1000
"""Largest number of states for which eigenvalues are computed, which takes some seconds."""

EQUAL = 0.05
"""Relative difference below which rates or participations count as equal, as for identical arms."""


class Fastest(NamedTuple):
    """The eigenvalue of largest magnitude of a plant.

    value: eigenvalue, 1/s; infinite if the plant has no finite derivative, NaN if the spacecraft is too large for the
    computation.
    name: the state variable with the largest participation; if several are equal, the first of these.
    """

    value: complex
    name: str

    @property
    def words(self) -> str:
        """Clause about the fastest rate for messages; empty if the value is not finite."""
        if not np.isfinite(self.value):
            return ""
        return f"the fastest rate of the plant, of {self.name}, is {abs(self.value):.3g}/s"


def fastest(craft: Spacecraft, x: Array, *, t: float, u: Array, pulses: Sequence[TorquePulse] = ()) -> Fastest:
    """Return the fastest rate of a plant at a state x (nx,), a time t (s) and an input u (nu,)."""
    n = craft.layout.size
    if n > LARGEST:
        return Fastest(complex(np.nan), "")
    matrix = slope(craft, x[:n], t=t, u=u, pulses=pulses)
    if not np.isfinite(matrix).all():
        return Fastest(complex(np.inf), "the state")
    values, vectors = np.linalg.eig(matrix)
    size = np.abs(values)
    equal = size >= (1.0 - EQUAL) * size.max()
    # the eigenvectors of equal rates may be any basis of their eigenspace; hence the participation of a state variable
    # is computed from an orthonormal basis of the space
    basis, _ = np.linalg.qr(vectors[:, equal])
    share = np.linalg.norm(basis, axis=1)
    name = craft.layout.names[int(np.argmax(share >= (1.0 - EQUAL) * share.max()))]
    return Fastest(complex(values[int(size.argmax())]), name)
