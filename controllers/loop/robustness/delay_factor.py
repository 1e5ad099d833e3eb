"""Effect of a delay on a sampled loop in addition to its phase.

Torque held over a sample and delayed by d + f samples, d whole, has the loop transfer z^-(d + f) (L + T_f): the phase
of the whole delay, and T_f = z^f L_f - L, the effect of the fraction on the frequencies that sampling aliases. T_f is
zero at f = 0 and f = 1, decreases at least in proportion to frequency, and is large near poles above half of the
sampling rate. It is measured on some crafts, for several fractions, on frequency grids about their poles.
"""

from collections.abc import Iterable
from math import ceil, pi
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..crossings import frequency_grid
from ..delay_margin import waits
from ..sampled_loop import SampledLoop
from .affine_fit import COVER

Array = NDArray[np.float64]

FRACTIONS = tuple(n / 8.0 for n in range(1, 8))
ARCS = 64
LOWEST = 1e-3  # rad per sample: T decreases at least in proportion below it


class Folded(NamedTuple):
    """Bounds (m, 3, 3) of the entries of T, from the applied to the commanded torque, up to angles (m,)."""

    tops: Array
    sizes: Array

    def between(self, low: float, high: float) -> Array:
        """Return the bounds (3, 3) over an interval of angles, rad per sample."""
        first, last = np.searchsorted(self.tops, [low, high])
        return self.sizes[max(first - 1, 0) : last + 1].max(axis=0)


def samples_late(loop: SampledLoop, delay: float) -> float:
    """Return when, in samples, a command delayed by `delay`, s, acts: at the next instant at which it is read."""
    samples = delay / loop.sample
    if not loop.taken_up:
        return samples
    return min(wait + max(ceil(samples - wait - 1e-9), 0) for wait in waits(loop))


def folded(loops: Iterable[SampledLoop]) -> Folded:
    """Return bounds of T, COVER times the values measured on some loops."""
    tops = np.append(np.geomspace(LOWEST, pi, ARCS)[:-1], pi * (1.0 + 1e-12))
    most = np.zeros((ARCS, 3, 3))
    for loop in loops:
        prompt = loop.broken((0, 1, 2))
        angles = frequency_grid(loop, prompt)
        angles = np.union1d(angles[angles > LOWEST], tops[:-1])
        place = np.searchsorted(tops, angles)
        L = prompt.response(angles)
        for fraction in waits(loop) if loop.taken_up else FRACTIONS:
            late = loop.broken((0, 1, 2), late=fraction * loop.sample).response(angles)
            T = np.abs(np.exp(1j * fraction * angles)[:, None, None] * late - L)
            np.maximum.at(most, place, T)
    return Folded(tops, COVER * most)
