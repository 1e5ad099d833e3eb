"""The fastest rate of a plant at a state, and the state variable that moves with it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...plant import Spacecraft, TorquePulse
from .slope import slope

__all__ = ["LARGEST", "Fastest", "fastest"]

Array = NDArray[np.float64]

LARGEST = 1000
"""States of a craft of which eigenvalues are computed: some seconds, not minutes."""

EQUAL = 0.05
"""Rates, and shares of one, that differ by less than this part are equal: alike arms share their eigenvectors."""


class Fastest(NamedTuple):
    """The eigenvalue of largest magnitude of a plant.

    value: 1/s; infinite where the plant has no finite slope, nan where the craft is too large for it to be computed.
    name: the state variable that moves most with it, the first of equal ones.
    """

    value: complex
    name: str

    @property
    def words(self) -> str:
        """A clause on it; empty where it is not finite."""
        if not np.isfinite(self.value):
            return ""
        return f"the fastest rate of the plant, of {self.name}, is {abs(self.value):.3g}/s"


def fastest(craft: Spacecraft, x: Array, *, t: float, u: Array, pulses: Sequence[TorquePulse] = ()) -> Fastest:
    """Return the fastest rate of a plant at a state (nx,) and a time, s, under an input (nu,)."""
    n = craft.layout.size
    if n > LARGEST:
        return Fastest(complex(np.nan), "")
    matrix = slope(craft, x[:n], t=t, u=u, pulses=pulses)
    if not np.isfinite(matrix).all():
        return Fastest(complex(np.inf), "the state")
    values, vectors = np.linalg.eig(matrix)
    size = np.abs(values)
    equal = size >= (1.0 - EQUAL) * size.max()
    # of equal rates the vectors are any that span the same space; the share of a state variable in that is one
    basis, _ = np.linalg.qr(vectors[:, equal])
    share = np.linalg.norm(basis, axis=1)
    name = craft.layout.names[int(np.argmax(share >= (1.0 - EQUAL) * share.max()))]
    return Fastest(complex(values[int(size.argmax())]), name)
