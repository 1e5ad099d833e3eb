"""Effect of a fractional delay on a sampled loop, beyond the phase shift of the delay.

If the held torque is delayed by d + f samples (d an integer, 0 <= f < 1), the loop transfer matrix is z^-(d + f) (L +
T_f): the phase shift of the full delay, and T_f = z^f L_f - L, the effect of the fraction through aliasing. T_f is
zero at f = 0 and f = 1, decreases at least in proportion to frequency, and is large near poles above half of the
sampling rate. T_f is evaluated for some of the spacecraft and several fractions, on frequency grids near their poles.
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
LOWEST = 1e-3  # rad per sample: below this frequency, T decreases at least in proportion to frequency


class Folded(NamedTuple):
    """Bounds (m, 3, 3) on T, from applied to commanded torque, up to each of the angles (m,)."""

    tops: Array
    sizes: Array

    def between(self, low: float, high: float) -> Array:
        """Return the bounds (3, 3) that hold over an interval of angles, rad per sample."""
        first, last = np.searchsorted(self.tops, [low, high])
        return self.sizes[max(first - 1, 0) : last + 1].max(axis=0)


def samples_late(loop: SampledLoop, delay: float) -> float:
    """Return the delay in samples after which a command delayed by `delay` (s) is next read by a block."""
    samples = delay / loop.sample
    if not loop.taken_up:
        return samples
    return min(wait + max(ceil(samples - wait - 1e-9), 0) for wait in waits(loop))


def folded(loops: Iterable[SampledLoop]) -> Folded:
    """Return bounds on T: COVER times the largest values found for the given loops."""
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
